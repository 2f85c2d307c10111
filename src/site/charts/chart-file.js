import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileChart } from './compile.js';
import { prepare } from './prepare.js';

/** @import { VegaLite } from '../../suite/vega-lite/rules.js' */
/** @import { Compiled } from './compile.js' */
/** @import { Patch } from './prepare.js' */

/**
 * A chart file compiled to Vega, for the picture and for a browser.
 * @param {string} name of a file in assets/charts, without its ending
 * @param {Patch | undefined} patch
 * @param {readonly string[]} siteFolders the first that has the file wins
 * @param {string} cache a folder
 * @returns {Promise<{ drawn: Compiled, live: Compiled, liveName: string }>}
 * @throws {Error} there is no such file
 */
export async function compileFile(name, patch, siteFolders, cache) {
  const file = await readChart(`${name}.vl.json`, siteFolders);
  const both = prepare(file, await readChart('theme.json', siteFolders), patch);
  const [drawn, live] = [await compileChart(both.drawn, cache), await compileChart(both.live, cache)];
  return { drawn, live, liveName: patch ? `${name}-${live.hash.slice(0, 8)}` : name };
}

/**
 * @param {string} name
 * @param {readonly string[]} siteFolders
 * @returns {Promise<VegaLite>}
 */
export async function readChart(name, siteFolders) {
  const file = siteFolders.map((folder) => join(folder, 'assets', 'charts', name)).find(existsSync);
  if (!file) throw new Error(`there is no chart file ${name} in ${siteFolders.join(' or ')}`);
  return JSON.parse(await readFile(file, 'utf8'));
}
