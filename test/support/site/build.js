import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after } from 'node:test';
import { site } from '../../../src/commands/site.js';
import { writeSyntheticSuite } from './synthetic-records.js';

/**
 * A synthetic suite in a folder that is gone after the tests.
 * @param {import('./synthetic-records.js').Wish} [wish]
 * @returns {string}
 */
export function temporarySuite(wish) {
  const folder = mkdtempSync(join(tmpdir(), 'benchfolio-site-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  writeSyntheticSuite(folder, wish);
  return folder;
}

/**
 * Runs `benchfolio site` in a folder.
 * @param {string} cwd
 * @param {import('../../../src/commands/site.js').SiteOptions} [options]
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
