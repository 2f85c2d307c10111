import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchRecord } from '../../reports/schema/types.d.ts';
import { exitCodes, UserError } from '../base/errors.js';
import { writeWhole } from '../base/io/files.js';
import { jq } from '../base/tools/jq.js';
import { recordText } from './record-text.js';
import { recordProblem } from './schema.js';

const rawFiles = [
  'summary.json',
  'timeline.ndjson',
  'histograms.ndjson',
  'services.ndjson',
  'prometheus.json',
  'round.json',
];

/**
 * Reduces the raw files of a case to its record, and writes that beside them.
 * @param folder the case's, in a run
 * @returns null: no round was completed
 * @throws {UserError} code 4: a raw file cannot be read, or jq failed
 */
export async function reduceCase(folder: string): Promise<BenchRecord | null> {
  const rounds = await roundsOf(folder);
  if (rounds.length === 0) return null;
  const record = await reduced(folder, rounds);
  const problem = recordProblem(record);
  if (problem)
    throw new UserError(`the raw files of ${folder} do not reduce to a valid record: ${problem}`, {
      code: exitCodes.error,
    });
  await writeWhole(join(folder, 'record.json'), recordText(record));
  return record;
}

/** By folder: the state of the raw files that this process reduced, and of the record that it wrote. */
const reducedFrom = new Map<string, string>();

/**
 * Reduces the raw files of a case, for those who pass its record on: once, as long as they stay the same.
 * @param folder the case's, in a run
 * @returns the record's file; null: no round was completed
 * @throws {UserError} code 4
 */
export async function recordFile(folder: string): Promise<string | null> {
  const record = join(folder, 'record.json');
  const raw = await stateOf(await rawFilesOf(folder, await roundsOf(folder)));
  if (existsSync(record) && reducedFrom.get(folder) === raw + (await stateOf([record]))) return record;
  if ((await reduceCase(folder)) === null) return null;
  reducedFrom.set(folder, raw + (await stateOf([record])));
  return record;
}

/**
 * A file that is written, or replaced, has another ctime, which nobody can set back: a service that is measured runs as the same
 * user, and could write a record of its own.
 */
const stateOf = async (files: string[]): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      files.map(async (file) => {
        const { ino, size, ctimeMs } = await stat(file);
        return [file, ino, size, ctimeMs];
      }),
    ),
  );

/**
 * Reduces one round of a case, as if it were all of it; nothing is written.
 * @param folder the case's, in a run
 * @param round that was completed
 * @throws {UserError} code 4
 */
export async function reduceRound(folder: string, round: number): Promise<BenchRecord> {
  const parts = (await roundsOf(folder)).filter((name) => name.split('.')[0] === `round-${round}`);
  return reduced(folder, parts);
}

const reduced = async (folder: string, rounds: readonly string[]) =>
  jq('record.json.jq', await rawFilesOf(folder, rounds));

async function rawFilesOf(folder: string, rounds: readonly string[]): Promise<string[]> {
  const files = await Promise.all(rounds.map((round) => filesOf(join(folder, round))));
  const ofCase = ['case.json', 'speed.json'].map((name) => join(folder, name)).filter(existsSync);
  return [...ofCase, ...files.flat()];
}

/**
 * The raw files of a round. Those of one k6 process are in its folder, those of several in instance-<n>/ there; where they were
 * merged, what came of it is in the round's folder.
 */
async function filesOf(round: string): Promise<string[]> {
  const merged = existsSync(join(round, 'summary.json'));
  const instances = merged ? [] : (await readdir(round)).filter((name) => /^instance-\d+$/.test(name));
  return ['', ...numeric(instances)]
    .flatMap((instance) => rawFiles.map((name) => join(round, instance, name)))
    .filter(existsSync);
}

const numeric = (names: string[]) => names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

/** Rounds that were completed: round.json is written last. */
async function roundsOf(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^round-\d+(\.\d+)?$/.test(name));
  return numeric(names.filter((name) => existsSync(join(folder, name, 'round.json'))));
}
