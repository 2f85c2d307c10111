import { existsSync } from 'node:fs';
import { link, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { BenchRecord, Comparison } from '../../reports/schema/types.d.ts';
import { exitCodes, UserError } from '../base/errors.js';
import { fileError, makeFolder, writeWhole } from '../base/io/files.js';
import { versionName } from '../suite/record-names.js';
import { duetPath, duetsDir } from './duets.js';
import { recordText } from './record-text.js';
import { isOfFuture } from './runs.js';
import { type Identity, recordPath, versionsDir } from './versions.js';

/**
 * Files records as a version.
 * @returns the version's folder
 * @throws {UserError} a name that cannot be, a version that is kept already, or (code 4) a disk that is full
 */
export const keepRecords = (suite: { root: string }, version: string, records: BenchRecord[]): Promise<string> =>
  keepFiles(versionsDir(suite), version, recordFiles(version, records), 'version');

/**
 * Files a duet.
 * @param text of its outcome
 * @returns its folder
 * @throws {UserError} as keepRecords does
 */
export const keepDuet = (suite: { root: string }, name: string, text: string): Promise<string> =>
  keepFiles(duetsDir(suite), name, new Map([[duetPath(name), text]]), 'duet');

/**
 * Files one record in a version that may have others, at once and for good.
 * @param draft a file for it elsewhere: a kill leaves nothing half in the version
 * @throws {UserError} the version has a record of this case, or (code 4) the disk is full
 */
export async function addRecord(suite: { root: string }, version: string, record: BenchRecord, draft: string) {
  const target = join(versionsDir(suite), versionName(version), recordPath(record));
  await writeWhole(draft, recordText({ ...record, version }));
  makeFolder(dirname(target));
  try {
    await link(draft, target);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw taken('the record of', `${nameOf(record)} in ${version}`, target);
    if (code !== 'EXDEV' && code !== 'EPERM') throw fileError(cause, target);
    await writeWhole(target, await readFile(draft, 'utf8')); // on another disk, or one without links
  }
}

/** @returns their texts as they are filed, by path from reports/versions */
export const recordFiles = (version: string, records: BenchRecord[]): Map<string, string> =>
  new Map(records.map((record) => [join(version, recordPath(record)), recordText({ ...record, version })]));

/**
 * Files a folder: all of its files or none, once and for good.
 * @param all the folder of such folders
 * @param files text by path, which begins with the name
 */
async function keepFiles(all: string, name: string, files: ReadonlyMap<string, string>, what: 'version' | 'duet') {
  const target = join(all, versionName(name));
  if (existsSync(target)) throw taken(what, name, target);
  let draft = '';
  try {
    makeFolder(all);
    draft = await mkdtemp(join(all, `.${name}.`)); // beside it, so that one rename makes it appear
    for (const [path, text] of files) await writeWhole(join(draft, relative(name, path)), text);
    await rename(draft, target);
  } catch (cause) {
    if (draft) await rm(draft, { recursive: true, force: true });
    const { code } = cause as NodeJS.ErrnoException;
    throw code === 'ENOTEMPTY' || code === 'EEXIST' ? taken(what, name, target) : fileError(cause, target);
  }
  return target;
}

const taken = (what: string, name: string, target: string) =>
  new UserError(`${what} ${name} is kept already, in ${target}`, {
    hint: 'A kept record is never rewritten: choose another name, or delete the folder if it should never have been.',
  });

/**
 * Says why a record may not be kept.
 * @returns null: it may
 */
export function whyNotKept({ verdict, time }: BenchRecord): string | null {
  if (verdict !== 'pass') return verdict;
  return isOfFuture(time) ? 'invalid: its time is in the future: the clock was wrong' : null;
}

/**
 * Parts what a run measured into what may be kept and what may not.
 * @returns exit: that of what was left out
 */
export function sortOut(
  comparison: Comparison,
  records: BenchRecord[],
): { kept: BenchRecord[]; leftOut: { name: string; why: string }[]; exit: number } {
  const passed = records.filter(({ verdict }) => verdict === 'pass');
  const ahead = new Set(passed.filter(({ time }) => isOfFuture(time)).map(nameOf));
  const kept = passed.filter((record) => !ahead.has(nameOf(record)));
  const good = new Set(kept.map(nameOf));
  const cases: { verdict: string; reason: string | null; system: string; environment: string; case: string }[] =
    comparison.cases;
  const left = cases.filter(
    (candidate) => candidate.verdict !== 'todo' && candidate.verdict !== 'n-a' && !good.has(nameOf(candidate)),
  );
  const whyNot = (candidate: (typeof left)[number]) =>
    ahead.has(nameOf(candidate))
      ? 'invalid: its time is in the future: the clock was wrong'
      : `${candidate.verdict}: ${candidate.reason ?? 'not measured'}`;
  return {
    kept,
    leftOut: left.map((candidate) => ({ name: nameOf(candidate), why: whyNot(candidate) })),
    exit: exitOf(left.map(({ verdict }) => verdict)),
  };
}

const nameOf = ({ system, environment, case: name }: Identity) => [system, environment, name].join(' ');

/** @param verdicts of cases that are not kept */
function exitOf(verdicts: string[]) {
  if (verdicts.includes('error')) return exitCodes.error;
  if (verdicts.includes('fail')) return exitCodes.fail;
  return verdicts.length ? exitCodes.inconclusive : exitCodes.pass;
}
