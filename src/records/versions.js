import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecord } from './read.js';
import { isVersionName } from './version-name.js';

/** @typedef {{ system: string, environment: string, case: string }} Identity */

/**
 * Where versions are kept.
 * @param {{ root: string }} suite
 * @returns {string} absolute
 */
export const versionsDir = ({ root }) => join(root, 'reports', 'versions');

/**
 * Where the record of a case is within a version.
 * @param {Identity} identity
 * @returns {string}
 */
export const recordPath = ({ system, environment, case: name }) => join(system, environment, `${name}.json`);

/**
 * The names of the versions that are kept, in no order that means anything.
 * @param {{ root: string }} suite
 * @returns {Promise<string[]>}
 */
export const versionNames = async (suite) => (await folders(versionsDir(suite))).filter(isVersionName);

/**
 * The files of a version's records.
 * @param {{ root: string }} suite
 * @param {string} version
 * @returns {Promise<(Identity & { file: string })[]>} file: absolute
 */
export async function recordsOf(suite, version) {
  const found = [];
  for (const system of await folders(join(versionsDir(suite), version))) {
    for (const environment of await folders(join(versionsDir(suite), version, system))) {
      const inside = join(versionsDir(suite), version, system, environment);
      const names = (await readdir(inside)).filter((name) => name.endsWith('.json')).sort();
      const records = names.map((name) => ({ case: name.slice(0, -'.json'.length), file: join(inside, name) }));
      found.push(...records.map((record) => ({ system, environment, ...record })));
    }
  }
  return found;
}

/**
 * The index of what is kept: derived each time, so that it cannot be wrong.
 * @param {{ root: string }} suite
 * @returns {Promise<{ version: string, time: string, records: (Identity & { file: string, time: string })[] }[]>}
 *   in the order of the time of their first record
 * @throws {import('../errors.js').UserError} a file is no record
 */
export async function versionIndex(suite) {
  const index = [];
  for (const version of await versionNames(suite)) {
    const files = await recordsOf(suite, version);
    const records = await Promise.all(files.map(async (one) => ({ ...one, time: (await readRecord(one.file)).time })));
    if (records.length) index.push({ version, time: records.map(({ time }) => time).sort()[0], records });
  }
  return index.sort((a, b) => compareText(a.time, b.time) || compareText(a.version, b.version));
}

/**
 * The kept records of one case.
 * @param {{ root: string }} suite
 * @param {Identity} identity
 * @returns {Promise<string[]>} their files
 */
export async function seriesOf(suite, identity) {
  const files = (await versionNames(suite)).map((version) => join(versionsDir(suite), version, recordPath(identity)));
  return files.filter((file) => existsSync(file));
}

/** @param {string} a @param {string} b */
const compareText = (a, b) => (a < b ? -1 : Number(a > b));

/** @param {string} folder @returns {Promise<string[]>} the folders in it; what begins with a dot is being written */
async function folders(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();
}
