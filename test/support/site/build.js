import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { site } from '../../../dist/cli/commands/site.js';
import { scratchFolder } from '../scratch.js';
import { shareCharts } from './chart-cache.js';
import { writeSyntheticSuite } from './synthetic-records.js';

/** @import { SiteOptions } from '../../../dist/cli/commands/site.js' */
/** @import { Wish } from './synthetic-records.js' */

/**
 * A synthetic suite in a folder that is gone after the tests. Its charts are those of all tests, drawn once.
 * @param {Wish} [wish]
 * @param {{ ownCharts?: boolean }} [options] ownCharts: draws its own, whatever was drawn before
 * @returns {string}
 */
export function temporarySuite(wish, { ownCharts = false } = {}) {
  const folder = scratchFolder('site');
  writeSyntheticSuite(folder, wish);
  if (!ownCharts) shareCharts(folder);
  return folder;
}

/**
 * Runs `benchfolio site` in a folder.
 * @param {string} cwd
 * @param {SiteOptions} [options]
 * @returns {Promise<{ code: number, out: string, err: string }>}
 */
export async function build(cwd, options = {}) {
  const said = { out: '', err: '' };
  const world = {
    cwd,
    env: {},
    stdin: process.stdin,
    stdout: {
      write: (/** @type {string} */ text) => {
        said.out += text;
      },
    },
    stderr: {
      write: (/** @type {string} */ text) => {
        said.err += text;
      },
    },
  };
  const code = await site(options, /** @type {any} */ (world));
  return { code, ...said };
}

/**
 * The files of a built site, by their paths within public/.
 * @param {string} folder the suite's
 * @param {string} [ending]
 * @returns {string[]}
 */
export function builtFiles(folder, ending = '') {
  const root = join(folder, 'public');
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** @param {string} folder @param {string} path within public/ */
export const built = (folder, path) => readFileSync(join(folder, 'public', path), 'utf8');
