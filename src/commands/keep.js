import { join, relative } from 'node:path';
import { exitCodes, UserError } from '../errors.js';
import { counted } from '../format.js';
import { branchName, usualBranch } from '../records/data-branch.js';
import { reduceRun } from '../records/index.js';
import { keepRecords, sortOut } from '../records/keep.js';
import { versionName } from '../records/names.js';
import { pullRecords } from '../records/pull.js';
import { pushFiles } from '../records/push.js';
import { recordText } from '../records/record-text.js';
import { findRun, measuredSince } from '../records/runs.js';
import { recordPath } from '../records/versions.js';
import { loadSuite } from '../suite.js';

/**
 * @typedef {{ version?: string, run?: string, push?: boolean, pull?: boolean, remote?: string, branch?: string,
 *   keepGoing?: boolean }} KeepOptions run: an id, a folder or "latest"
 * @typedef {import('../world.js').World} World
 * @typedef {import('../../reports/schema/types.d.ts').BenchRecord} BenchRecord
 * @typedef {import('../records/data-branch.js').DataBranch} DataBranch
 */

/**
 * @param {import('commander').Command} program
 * @param {World} world
 */
export function register(program, world) {
  program
    .command('keep [version] [run]')
    .summary('keep the records of a run as a version')
    .description('keep the records of a run in reports/versions/<version> (default: the last run)')
    .option('--push', 'keep them on the data branch instead, for everybody; changes no file here')
    .option('--pull', 'copy the records of the data branch into reports/versions: one version, or all')
    .option('--remote <name>', 'the remote with the data branch', usualBranch.remote)
    .option('--branch <name>', 'the data branch', usualBranch.branch)
    .option('--keep-going', 'exit 0 even if a pull leaves records out')
    .action(async (version, run, options) => {
      world.exitCode = await keep({ ...options, version, run }, world);
    });
}

/**
 * Keeps the records of a run that can be believed, here or on the data branch, or brings those of the data branch here.
 * @param {KeepOptions} options
 * @param {World} world
 * @returns {Promise<number>} 0, or the exit code of what was left out
 * @throws {UserError} the name cannot be or is taken, or nothing is worth keeping
 */
export async function keep({ version, run, push = false, pull = false, keepGoing = false, ...where }, world) {
  if (push && pull) throw new UserError('--push and --pull: one after the other');
  if (version !== undefined) versionName(version);
  const suite = loadSuite(world.cwd);
  const place = { ...usualBranch, ...where, root: suite.root };
  branchName(place.branch);
  if (pull) return pullVersions(place, { version, keepGoing }, world);
  if (version === undefined) {
    throw new UserError('keep needs a name for the version', { hint: 'For example: benchfolio keep v1' });
  }
  return keepRun(suite, { version, run, place: push ? place : null }, world);
}

/**
 * What is invalid, failed or missed a threshold is left out and named.
 * @param {import('../suite.js').Suite} suite
 * @param {{ version: string, run?: string, place: DataBranch | null }} options place: null: here
 * @param {World} world
 */
async function keepRun(suite, { version, run, place }, { cwd, stdout }) {
  if (run === undefined) refuseOlder(suite, version);
  const runDir = findRun(suite, run, cwd);
  const { comparison, records } = await reduceRun({ suite, runDir });
  const { kept, leftOut, exit } = sortOut(comparison, records);
  if (kept.length === 0) {
    throw new UserError(`nothing of the run ${comparison.run} can be kept as ${version}\n${listed(leftOut)}`, {
      code: exit || exitCodes.inconclusive,
      hint: 'Measure again, and keep that: benchfolio run',
    });
  }
  const what = `${counted(kept.length, 'record')} of the run ${comparison.run}`;
  if (place) {
    const before = kept.length - (await pushFiles(place, filesOf(version, kept), `Keep ${version}: ${what}`));
    stdout.write(`Kept ${what} as ${version}: on ${place.branch}${before ? `, ${before} of them before` : ''}\n`);
  } else {
    const folder = await keepRecords(suite, version, kept);
    stdout.write(`Kept ${what} as ${version}: ${relative(cwd, folder) || folder}\n`);
  }
  if (leftOut.length > 0) stdout.write(`Left out:\n${listed(leftOut)}\n`);
  const from = place && place.branch !== usualBranch.branch ? ` --branch ${place.branch}` : '';
  const first = place ? `npx benchfolio keep ${version} --pull${from}; ` : '';
  stdout.write(`Compare with it later: ${first}npx benchfolio run --baseline ${version}\n`);
  return exit;
}

/**
 * Who names no run means what was measured last: an older run under the new name would be another program.
 * @param {import('../suite.js').Suite} suite
 * @param {string} version
 * @throws {UserError} something was measured since the last run
 */
function refuseOlder(suite, version) {
  const since = measuredSince(suite);
  if (since === null) return;
  const named = since.run === null ? '' : `, or name the run: benchfolio keep ${version} ${since.run}`;
  throw new UserError(`what was measured last, ${since.id}, ${since.what}`, {
    hint: `Measure what can be kept with benchfolio run${named}`,
  });
}

/** As a version is filed here. @param {string} version @param {BenchRecord[]} records */
const filesOf = (version, records) =>
  new Map(records.map((record) => [join(version, recordPath(record)), recordText({ ...record, version })]));

/**
 * @param {DataBranch} place
 * @param {{ version?: string, keepGoing: boolean }} options
 * @param {World} world
 */
async function pullVersions(place, { version, keepGoing }, { stdout, stderr }) {
  const { added, same, leftOut } = await pullRecords(place, version);
  // names and texts of files that anybody may have pushed: a line each, whatever they hold
  for (const { path, why } of leftOut)
    stderr.write(`left out: ${`${path}: ${why}`.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')}\n`);
  const out = leftOut.length ? `, ${leftOut.length} left out` : '';
  stdout.write(`${counted(added, 'record')} from ${place.branch} into reports/versions, ${same} were there${out}\n`);
  return leftOut.length && !keepGoing ? exitCodes.usage : exitCodes.pass;
}

/** @param {{ name: string, why: string }[]} cases */
const listed = (cases) => cases.map(({ name, why }) => `  ${name}: ${why}`).join('\n');
