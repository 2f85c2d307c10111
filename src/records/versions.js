import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isVersionName } from '../suite/record-names.js';
import { FileProblem, tryRecord } from './read-record.js';

/**
 * @typedef {{ system: string, environment: string, case: string }} Identity
 * @typedef {Identity & { version: string }} RecordPlace what the path of a kept record says
 */

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
 * Reads what a path within reports/versions says of its record.
 * @param {string} path
 * @returns {RecordPlace | null} null: no record lies there
 */
export function placeOf(path) {
  const [, version, system, environment, name] =
    /^([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\.json$/.exec(path.replaceAll('\\', '/')) ?? [];
  return version === undefined ? null : { version, system, environment, case: name };
}

/**
 * Lists the versions that are kept.
 * @param {{ root: string }} suite
 * @returns {string[]} in no order that means anything
 */
export const versionNames = (suite) => foldersIn(versionsDir(suite), raise).filter(isVersionName);

/**
 * Lists the files of a version's records.
 * @param {{ root: string }} suite
 * @param {string} version
 * @returns {(RecordPlace & { file: string })[]} file: absolute
 * @throws {FileProblem} a folder cannot be read
 */
export const recordsOf = (suite, version) => filesOf(versionsDir(suite), version, raise);

/**
 * Lists all files that lie where records of versions do, whatever their versions are called.
 * @param {{ root: string }} suite
 * @param {(problem: FileProblem) => void} report gets the folders that cannot be read, and links in their place
 * @returns {(RecordPlace & { file: string })[]} file: absolute
 */
export const keptFiles = (suite, report) =>
  foldersIn(versionsDir(suite), report, report).flatMap((version) =>
    filesOf(versionsDir(suite), version, report, report),
  );

/**
 * Finds the kept records of one case: how much its sessions differ. A damaged one is left out.
 * @param {{ root: string }} suite
 * @param {Identity} identity
 * @returns {string[]} their files
 */
export const seriesOf = (suite, identity) =>
  versionNames(suite).flatMap((version) => {
    const file = join(versionsDir(suite), version, recordPath(identity));
    return tryRecord(file, { version, ...identity }) ? [file] : [];
  });

/**
 * @param {string} folder reports/versions
 * @param {string} version
 * @param {(problem: FileProblem) => void} report
 * @param {(problem: FileProblem) => void} [reportLink]
 * @returns {(RecordPlace & { file: string })[]}
 */
function filesOf(folder, version, report, reportLink) {
  const found = [];
  for (const system of foldersIn(join(folder, version), report, reportLink)) {
    for (const environment of foldersIn(join(folder, version, system), report, reportLink)) {
      const inside = join(folder, version, system, environment);
      const names = entriesIn(inside, report).map(({ name }) => name);
      for (const name of names.filter((name) => name.endsWith('.json')).sort()) {
        found.push({ file: join(inside, name), version, system, environment, case: name.slice(0, -'.json'.length) });
      }
    }
  }
  return found;
}

/**
 * @param {string} folder
 * @param {(problem: FileProblem) => void} report
 * @param {(problem: FileProblem) => void} [reportLink] what a link leads to is not read
 * @returns {string[]} the folders in it
 */
export function foldersIn(folder, report, reportLink = () => {}) {
  const entries = entriesIn(folder, report);
  for (const entry of entries.filter((candidate) => candidate.isSymbolicLink())) {
    reportLink(new FileProblem(join(folder, entry.name), 'is a symbolic link', {}));
  }
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')) // with a dot: it is being written
    .map(({ name }) => name)
    .sort();
}

/** @param {string} folder @param {(problem: FileProblem) => void} report */
function entriesIn(folder, report) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code !== 'ENOENT') report(new FileProblem(folder, `cannot be read (${code})`, { cause }));
    return [];
  }
}

/** @param {FileProblem} problem @returns {never} */
function raise(problem) {
  throw problem;
}
