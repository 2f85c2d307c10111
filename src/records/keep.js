import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exitCodes, UserError } from '../errors.js';
import { fileError, makeFolder, writeWhole } from '../io/files.js';
import { versionName } from './names.js';
import { recordText } from './record-text.js';
import { isOfFuture } from './runs.js';
import { recordPath, versionsDir } from './versions.js';

/**
 * Files records as a version: all of them or none, once and for good.
 * @param {{ root: string }} suite
 * @param {string} version
 * @param {import('../../reports/schema/types.d.ts').BenchRecord[]} records
 * @returns {Promise<string>} the version's folder
 * @throws {UserError} a name that cannot be, a version that is kept already, or (code 4) a disk that is full
 */
export async function keepRecords(suite, version, records) {
  const all = versionsDir(suite);
  const target = join(all, versionName(version));
  if (existsSync(target)) throw taken(version, target);
  let draft = '';
  try {
    makeFolder(all);
    draft = await mkdtemp(join(all, `.${version}.`)); // beside it, so that one rename makes it appear
    for (const record of records) await writeWhole(join(draft, recordPath(record)), recordText({ ...record, version }));
    await rename(draft, target);
  } catch (cause) {
    if (draft) await rm(draft, { recursive: true, force: true });
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    throw code === 'ENOTEMPTY' || code === 'EEXIST' ? taken(version, target) : fileError(cause, target);
  }
  return target;
}

/** @param {string} version @param {string} target */
const taken = (version, target) =>
  new UserError(`version ${version} is kept already, in ${target}`, {
    hint: 'What is kept is never rewritten: choose another name, or delete the folder if it should never have been.',
  });

/**
 * Parts what a run measured into what may be kept and what may not.
 * @param {any} comparison
 * @param {import('../../reports/schema/types.d.ts').BenchRecord[]} records
 * @returns {{ kept: import('../../reports/schema/types.d.ts').BenchRecord[], leftOut: { name: string, why: string }[], exit: number }}
 *   exit: that of what was left out
 */
export function sortOut(comparison, records) {
  const passed = records.filter(({ verdict }) => verdict === 'pass');
  const ahead = new Set(passed.filter(({ time }) => isOfFuture(time)).map(nameOf));
  const kept = passed.filter((record) => !ahead.has(nameOf(record)));
  const good = new Set(kept.map(nameOf));
  /** @type {{ verdict: string, reason: string | null, system: string, environment: string, case: string }[]} */
  const cases = comparison.cases;
  const left = cases.filter((one) => one.verdict !== 'todo' && one.verdict !== 'n-a' && !good.has(nameOf(one)));
  const whyNot = (/** @type {typeof left[number]} */ one) =>
    ahead.has(nameOf(one))
      ? 'invalid: its time is in the future: the clock was wrong'
      : `${one.verdict}: ${one.reason ?? 'not measured'}`;
  return {
    kept,
    leftOut: left.map((one) => ({ name: nameOf(one), why: whyNot(one) })),
    exit: exitOf(left.map(({ verdict }) => verdict)),
  };
}

/** @param {import('./versions.js').Identity} one */
const nameOf = ({ system, environment, case: name }) => [system, environment, name].join(' ');

/** @param {string[]} verdicts of cases that are not kept */
function exitOf(verdicts) {
  if (verdicts.includes('error')) return exitCodes.error;
  if (verdicts.includes('fail')) return exitCodes.fail;
  return verdicts.length ? exitCodes.inconclusive : exitCodes.pass;
}
