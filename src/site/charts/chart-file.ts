import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VegaLite } from '../../suite/vega-lite/rules.js';
import { type Compiled, compileChart } from './compile.js';
import { type Patch, prepare } from './prepare.js';

/**
 * A chart file compiled to Vega, for the picture and for a browser.
 * @param name of a file in assets/charts, without its ending
 * @param siteFolders the first that has the file wins
 * @param cache a folder
 * @throws {Error} there is no such file
 */
export async function compileFile(
  name: string,
  patch: Patch | undefined,
  siteFolders: readonly string[],
  cache: string,
): Promise<{ drawn: Compiled; live: Compiled; liveName: string }> {
  const file = await readChart(`${name}.vl.json`, siteFolders);
  const both = prepare(file, await readChart('theme.json', siteFolders), patch);
  const [drawn, live] = [await compileChart(both.drawn, cache), await compileChart(both.live, cache)];
  return { drawn, live, liveName: patch ? `${name}-${live.hash.slice(0, 8)}` : name };
}

export async function readChart(name: string, siteFolders: readonly string[]): Promise<VegaLite> {
  const file = siteFolders.map((folder) => join(folder, 'assets', 'charts', name)).find(existsSync);
  if (!file) throw new Error(`there is no chart file ${name} in ${siteFolders.join(' or ')}`);
  return JSON.parse(await readFile(file, 'utf8'));
}
