import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UserError } from '../base/errors.js';
import { isVersionName } from '../suite/record-names.js';
import { benchDir, type Suite } from '../suite/suite.js';
import { readRecord } from './read-record.js';
import { findRun } from './runs.js';
import { type Identity, recordsOf, versionNames, versionsDir } from './versions.js';

/**
 * One side of a comparison: what it is called, and its records by case.
 * single: it is one file
 */
export type RecordsSide = { name: string; single: boolean; records: SideRecord[] };

export type SideRecord = Identity & { file: string };

/**
 * Finds what a word on the command line means: a kept version, a run ("latest" or its id), a record's file, or a folder
 * of records.
 * @param where suite: null outside of one
 * @throws {UserError} it is none of these, or holds no record
 */
export async function findSide(
  word: string,
  { cwd, suite }: { cwd: string; suite: Suite | null },
): Promise<RecordsSide> {
  const side = (suite && (await inSuite(word, suite))) ?? (await onDisk(word, resolve(cwd, word)));
  if (side === null) throw unknown(word, suite);
  if (side.records.length === 0) {
    throw new UserError(`there is no record in ${word}`, {
      hint: 'A run has records after it was judged: benchfolio report <run>',
    });
  }
  return side;
}

async function inSuite(word: string, suite: Suite): Promise<RecordsSide | null> {
  if (isVersionName(word) && existsSync(join(versionsDir(suite), word))) {
    return { name: word, single: false, records: recordsOf(suite, word) };
  }
  const run = join(benchDir(suite), 'runs', word, 'run.json');
  const isRun = word === 'latest' || (isVersionName(word) && existsSync(run));
  return isRun ? { name: word, single: false, records: await recordsBelow(findRun(suite, word)) } : null;
}

async function onDisk(name: string, path: string): Promise<RecordsSide | null> {
  if (!existsSync(path)) return null;
  if (statSync(path).isDirectory()) return { name, single: false, records: await recordsBelow(path) };
  return { name, single: true, records: [identified(path)] };
}

/** @param folder a run, or a version somewhere else */
async function recordsBelow(folder: string): Promise<SideRecord[]> {
  const files = (await readdir(folder, { recursive: true })).filter(isRecordFile).sort();
  return files.map((file) => identified(join(folder, file)));
}

/** @param file in a run's or a version's folder: two folders down, or one more and called record.json */
const isRecordFile = (file: string) => /^[^/]+\/[^/]+\/([^/]+\/record|[^/]+)\.json$/.test(file);

function identified(file: string): SideRecord {
  const { system, environment, case: name } = readRecord(file);
  return { system, environment, case: name, file };
}

function unknown(word: string, suite: Suite | null) {
  const versions = suite ? versionNames(suite) : [];
  const none = 'No version is kept here: benchfolio keep <version> keeps the last run.';
  return new UserError(`"${word}" is not a version, run, record or folder of records`, {
    hint: versions.length ? `Versions that are kept: ${versions.join(', ')}.` : none,
  });
}
