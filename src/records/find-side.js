import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UserError } from '../base/errors.js';
import { isVersionName } from '../suite/record-names.js';
import { benchDir } from '../suite/suite.js';
import { readRecord } from './read-record.js';
import { findRun } from './runs.js';
import { recordsOf, versionNames, versionsDir } from './versions.js';

/** @import { Suite } from '../suite/suite.js' */
/** @import { Identity } from './versions.js' */

/**
 * One side of a comparison: what it is called, and its records by case.
 * @typedef {{ name: string, single: boolean, records: SideRecord[] }} RecordsSide single: it is one file
 * @typedef {Identity & { file: string }} SideRecord
 */

/**
 * Finds what a word on the command line means: a kept version, a run ("latest" or its id), a record's file, or a folder
 * of records.
 * @param {string} word
 * @param {{ cwd: string, suite: Suite | null }} where suite: null outside of one
 * @returns {Promise<RecordsSide>}
 * @throws {UserError} it is none of these, or holds no record
 */
export async function findSide(word, { cwd, suite }) {
  const side = (suite && (await inSuite(word, suite))) ?? (await onDisk(word, resolve(cwd, word)));
  if (side === null) throw unknown(word, suite);
  if (side.records.length === 0) {
    throw new UserError(`there is no record in ${word}`, {
      hint: 'A run has records after it was judged: benchfolio report <run>',
    });
  }
  return side;
}

/**
 * @param {string} word
 * @param {Suite} suite
 * @returns {Promise<RecordsSide | null>}
 */
async function inSuite(word, suite) {
  if (isVersionName(word) && existsSync(join(versionsDir(suite), word))) {
    return { name: word, single: false, records: recordsOf(suite, word) };
  }
  const run = join(benchDir(suite), 'runs', word, 'run.json');
  const isRun = word === 'latest' || (isVersionName(word) && existsSync(run));
  return isRun ? { name: word, single: false, records: await recordsBelow(findRun(suite, word)) } : null;
}

/**
 * @param {string} name
 * @param {string} path
 * @returns {Promise<RecordsSide | null>}
 */
async function onDisk(name, path) {
  if (!existsSync(path)) return null;
  if (statSync(path).isDirectory()) return { name, single: false, records: await recordsBelow(path) };
  return { name, single: true, records: [identified(path)] };
}

/** @param {string} folder a run, or a version somewhere else @returns {Promise<SideRecord[]>} */
async function recordsBelow(folder) {
  const files = (await readdir(folder, { recursive: true })).filter(isRecordFile).sort();
  return files.map((file) => identified(join(folder, file)));
}

/** @param {string} file in a run's or a version's folder: two folders down, or one more and called record.json */
const isRecordFile = (file) => /^[^/]+\/[^/]+\/([^/]+\/record|[^/]+)\.json$/.test(file);

/** @param {string} file @returns {SideRecord} */
function identified(file) {
  const { system, environment, case: name } = readRecord(file);
  return { system, environment, case: name, file };
}

/** @param {string} word @param {Suite | null} suite */
function unknown(word, suite) {
  const versions = suite ? versionNames(suite) : [];
  const none = 'No version is kept here: benchfolio keep <version> keeps the last run.';
  return new UserError(`"${word}" is not a version, run, record or folder of records`, {
    hint: versions.length ? `Versions that are kept: ${versions.join(', ')}.` : none,
  });
}
