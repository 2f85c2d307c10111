import { join, relative } from 'node:path';
import type { Command } from 'commander';
import type { Comparison } from '../../../reports/schema/types.d.ts';
import { exitCodes, UserError } from '../../base/errors.js';
import { counted } from '../../base/format.js';
import type { World } from '../../base/world.js';
import { branchName, type DataBranch, usualBranch } from '../../records/data-branch.js';
import { duetPath, duetText } from '../../records/duets.js';
import { keepDuet, keepRecords, recordFiles, sortOut } from '../../records/keep.js';
import { pullFiles } from '../../records/pull.js';
import { pushFiles } from '../../records/push.js';
import { readOurs } from '../../records/read-record.js';
import { reduceRun } from '../../records/records.js';
import { duetFile, findRun, lastMeasured, measuredSince } from '../../records/runs.js';
import { versionName } from '../../suite/record-names.js';
import { loadSuite, type Suite } from '../../suite/suite.js';

/** name: of the version or the duet; run: an id, a folder or "latest" */
type KeepOptions = {
  name?: string;
  run?: string;
  push?: boolean;
  pull?: boolean;
  remote?: string;
  branch?: string;
  keepGoing?: boolean;
};

export function register(program: Command, world: World) {
  program
    .command('keep [name] [run]')
    .summary('keep the records of a run as a version, or a duet')
    .description(
      'keep what was measured last: the records of a run in reports/versions/<name>, a duet in reports/duets/<name> (default: its id)',
    )
    .option('--push', 'keep it on the data branch instead, for everybody; changes no file here')
    .option('--pull', 'copy what is on the data branch into reports: one version or duet, or all')
    .option('--remote <name>', 'the remote with the data branch', usualBranch.remote)
    .option('--branch <name>', 'the data branch', usualBranch.branch)
    .option('--keep-going', 'exit 0 even if a pull leaves files out')
    .action(async (name, run, options) => {
      world.exitCode = await keep({ ...options, name, run }, world);
    });
}

/**
 * Keeps a duet or the records of a run that can be believed, here or on the data branch, or brings what is there here.
 * @returns 0, or the exit code of what was left out
 * @throws {UserError} the name cannot be or is taken, or nothing is worth keeping
 */
export async function keep(
  { name, run, push = false, pull = false, keepGoing = false, ...where }: KeepOptions,
  world: World,
): Promise<number> {
  if (push && pull) throw new UserError('--push and --pull: one after the other');
  if (name !== undefined) versionName(name);
  const suite = loadSuite(world.cwd);
  const branch = { ...usualBranch, ...where, root: suite.root };
  branchName(branch.branch);
  if (pull) return pullKept(branch, { name, keepGoing }, world);
  const dataBranch = push ? branch : null;
  const duet = duetOf(suite, { name, run });
  if (duet !== null) return fileDuet(suite, { name: name ?? duet.id, file: duet.file, dataBranch }, world);
  if (name === undefined) {
    throw new UserError('keep needs a name for the version', { hint: 'For example: benchfolio keep v1' });
  }
  return keepRun(suite, { version: name, run, dataBranch }, world);
}

/**
 * The duet that is to be kept: the one that is named, by its id in either place, or else the one that was measured last.
 * @returns null: it is not a duet
 */
function duetOf(suite: Suite, { name, run }: { name?: string; run?: string }): { id: string; file: string } | null {
  for (const id of run === undefined ? [name, lastMeasured(suite)] : [run]) {
    const file = id === undefined ? null : duetFile(suite, id);
    if (id !== undefined && file !== null) return { id, file };
  }
  return null;
}

/** @param what dataBranch: null: here */
async function fileDuet(
  suite: Suite,
  { name, file, dataBranch }: { name: string; file: string; dataBranch: DataBranch | null },
  { cwd, stdout }: World,
) {
  const outcome = readOurs(file) as Comparison;
  const text = duetText(outcome);
  const what = `the duet of ${outcome.head} against ${outcome.baseline}`;
  if (dataBranch) {
    const added = await pushFiles(
      dataBranch,
      new Map([[join('duets', duetPath(name)), text]]),
      `Keep ${name}: ${what}`,
    );
    stdout.write(`Kept ${what} as ${name}: on ${dataBranch.branch}${added ? '' : ', it was there before'}\n`);
  } else {
    const folder = await keepDuet(suite, name, text);
    stdout.write(`Kept ${what} as ${name}: ${relative(cwd, folder) || folder}\n`);
  }
  stdout.write(`See it on the pages: ${dataBranch ? 'npx benchfolio keep --pull; ' : ''}npx benchfolio site\n`);
  return exitCodes.pass;
}

/**
 * What is invalid, failed or missed a threshold is left out and named.
 * @param options dataBranch: null: here
 */
async function keepRun(
  suite: Suite,
  { version, run, dataBranch }: { version: string; run?: string; dataBranch: DataBranch | null },
  { cwd, stdout }: World,
) {
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
  if (dataBranch) {
    const before = kept.length - (await pushFiles(dataBranch, recordFiles(version, kept), `Keep ${version}: ${what}`));
    stdout.write(`Kept ${what} as ${version}: on ${dataBranch.branch}${before ? `, ${before} of them before` : ''}\n`);
  } else {
    const folder = await keepRecords(suite, version, kept);
    stdout.write(`Kept ${what} as ${version}: ${relative(cwd, folder) || folder}\n`);
  }
  if (leftOut.length > 0) stdout.write(`Left out:\n${listed(leftOut)}\n`);
  const from = dataBranch && dataBranch.branch !== usualBranch.branch ? ` --branch ${dataBranch.branch}` : '';
  const first = dataBranch ? `npx benchfolio keep ${version} --pull${from}; ` : '';
  stdout.write(`Compare with it later: ${first}npx benchfolio run --baseline ${version}\n`);
  return exit;
}

/**
 * Who names no run means what was measured last: an older run under the new name would be another program.
 * @throws {UserError} something was measured since the last run
 */
function refuseOlder(suite: Suite, version: string) {
  const since = measuredSince(suite);
  if (since === null) return;
  const named = since.run === null ? '' : `, or name the run: benchfolio keep ${version} ${since.run}`;
  throw new UserError(`what was measured last, ${since.id}, ${since.what}`, {
    hint: `Measure what can be kept with benchfolio run${named}`,
  });
}

async function pullKept(
  dataBranch: DataBranch,
  { name, keepGoing }: { name?: string; keepGoing: boolean },
  { stdout, stderr }: World,
) {
  const { records, duets, same, leftOut } = await pullFiles(dataBranch, name);
  // names and texts of files that anybody may have pushed: a line each, whatever they hold
  for (const { path, why } of leftOut)
    stderr.write(`left out: ${`${path}: ${why}`.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')}\n`);
  const out = leftOut.length ? `, ${leftOut.length} left out` : '';
  const what = [counted(records, 'record'), ...(duets ? [counted(duets, 'duet')] : [])].join(' and ');
  stdout.write(`${what} from ${dataBranch.branch} into reports, ${same} were there${out}\n`);
  return leftOut.length && !keepGoing ? exitCodes.usage : exitCodes.pass;
}

const listed = (cases: { name: string; why: string }[]) => cases.map(({ name, why }) => `  ${name}: ${why}`).join('\n');
