import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeJson } from '../../base/io/files.js';
import { packageRoot } from '../../base/tools/find-tool.js';

/**
 * What takes seconds to judge is kept with a key of all that it came from, and taken as it was while that is the same.
 * @template T
 * @param {string} file where it is kept
 * @param {string} key
 * @param {() => Promise<T>} make
 * @returns {Promise<T>}
 */
export async function cached(file, key, make) {
  const known = await keptWith(file, key);
  if (known !== null) return /** @type {T} */ (known);
  const value = await make();
  await keepWith(file, key, value);
  return value;
}

/**
 * @param {string} file
 * @param {string} key
 * @returns {Promise<unknown>} null: it is not there, damaged, or of another key
 */
export async function keptWith(file, key) {
  const known = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => null);
  return known?.key === key ? known.value : null;
}

/**
 * @param {string} file
 * @param {string} key
 * @param {unknown} value
 */
export const keepWith = (file, key, value) => writeJson(file, { key, value });

/**
 * Lists the programs by which records are judged, with their modules.
 * @returns {string[]} files
 */
export function judgingPrograms() {
  const reports = join(packageRoot, 'reports');
  const programs = namesIn(reports).filter((name) => name.endsWith('.jq'));
  const modules = namesIn(join(reports, 'lib'), { recursive: true }).filter((name) => name.endsWith('.jq'));
  return [...programs, ...modules.map((name) => join('lib', name))].map((name) => join(reports, name));
}

/** @param {string} folder @param {{ recursive?: boolean }} [options] @returns {string[]} */
const namesIn = (folder, options) => readdirSync(folder, { encoding: 'utf8', ...options }).sort();

/** @param {string[]} files their names and texts @returns {Promise<string>} a digest */
export async function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(await readFile(file).catch(() => ''));
  return hash.digest('hex');
}
