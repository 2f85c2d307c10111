import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isVersionName } from '../suite/record-names.js';
import { FileProblem, tryRecord } from './read-record.js';

export type Identity = { system: string; environment: string; case: string };

/** What the path of a kept record says. */
export type RecordPlace = Identity & { version: string };

/**
 * Where versions are kept.
 * @returns absolute
 */
export const versionsDir = ({ root }: { root: string }): string => join(root, 'reports', 'versions');

/** Where the record of a case is within a version. */
export const recordPath = ({ system, environment, case: name }: Identity): string =>
  join(system, environment, `${name}.json`);

/**
 * Reads what a path within reports/versions says of its record.
 * @returns null: no record lies there
 */
export function placeOf(path: string): RecordPlace | null {
  const [, version, system, environment, name] =
    /^([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\.json$/.exec(path.replaceAll('\\', '/')) ?? [];
  return version === undefined ? null : { version, system, environment, case: name };
}

/**
 * Lists the versions that are kept.
 * @returns in no order that means anything
 */
export const versionNames = (suite: { root: string }): string[] =>
  foldersIn(versionsDir(suite), raise).filter(isVersionName);

/**
 * Lists the files of a version's records.
 * @returns file: absolute
 * @throws {FileProblem} a folder cannot be read
 */
export const recordsOf = (suite: { root: string }, version: string): (RecordPlace & { file: string })[] =>
  filesOf(versionsDir(suite), version, raise);

/**
 * Lists all files that lie where records of versions do, whatever their versions are called.
 * @param report gets the folders that cannot be read, and links in their place
 * @returns file: absolute
 */
export const keptFiles = (
  suite: { root: string },
  report: (problem: FileProblem) => void,
): (RecordPlace & { file: string })[] =>
  foldersIn(versionsDir(suite), report, report).flatMap((version) =>
    filesOf(versionsDir(suite), version, report, report),
  );

/**
 * Finds the kept records of one case: how much its sessions differ. A damaged one is left out.
 * @returns their files
 */
export const seriesOf = (suite: { root: string }, identity: Identity): string[] =>
  versionNames(suite).flatMap((version) => {
    const file = join(versionsDir(suite), version, recordPath(identity));
    return tryRecord(file, { version, ...identity }) ? [file] : [];
  });

/** @param folder reports/versions */
function filesOf(
  folder: string,
  version: string,
  report: (problem: FileProblem) => void,
  reportLink?: (problem: FileProblem) => void,
): (RecordPlace & { file: string })[] {
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
 * @param reportLink links are not followed
 * @returns the folders in it
 */
export function foldersIn(
  folder: string,
  report: (problem: FileProblem) => void,
  reportLink: (problem: FileProblem) => void = () => {},
): string[] {
  const entries = entriesIn(folder, report);
  for (const entry of entries.filter((candidate) => candidate.isSymbolicLink())) {
    reportLink(new FileProblem(join(folder, entry.name), 'is a symbolic link', {}));
  }
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')) // with a dot: it is being written
    .map(({ name }) => name)
    .sort();
}

function entriesIn(folder: string, report: (problem: FileProblem) => void) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT') report(new FileProblem(folder, `cannot be read (${code})`, { cause }));
    return [];
  }
}

function raise(problem: FileProblem): never {
  throw problem;
}
