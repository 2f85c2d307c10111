import { relative } from 'node:path';
import { exitCodes, UserError } from '../errors.js';
import { reduceRun } from '../records/index.js';
import { keepRecords, sortOut } from '../records/keep.js';
import { versionName } from '../records/name.js';
import { findRun } from '../records/runs.js';
import { loadSuite } from '../suite.js';

/**
 * @param {import('commander').Command} program
 * @param {import('../cli.js').World} world
 */
export function register(program, world) {
  program
    .command('keep <version> [run]')
    .description('keep the records of a run under reports/versions/<version>, for good (default: the last run)')
    .action(async (version, run) => {
      world.exitCode = await keep({ version, run }, world);
    });
}

/**
 * Keeps the records of a run that can be believed. What is invalid, failed or missed a threshold is left out and named.
 * @param {{ version: string, run?: string }} options run: an id, a folder or "latest"
 * @param {import('../cli.js').World} world
 * @returns {Promise<number>} 0, or the exit code of what was left out
 * @throws {UserError} the name cannot be or is taken, or nothing is worth keeping
 */
export async function keep({ version, run }, world) {
  versionName(version);
  const suite = loadSuite(world.cwd);
  const runDir = findRun(suite, run, world.cwd);
  const { comparison, records } = await reduceRun({ suite, runDir });
  const { kept, leftOut, exit } = sortOut(comparison, records);
  if (kept.length === 0) {
    throw new UserError(`nothing of the run ${comparison.run} can be kept as ${version}\n${listed(leftOut)}`, {
      code: exit || exitCodes.unclear, hint: 'Measure again, and keep that: benchfolio run',
    });
  }
  const folder = await keepRecords(suite, version, kept);
  world.stdout.write(`Kept ${counted(kept.length)} of the run ${comparison.run} as ${version}: ${relative(world.cwd, folder) || folder}\n`);
  if (leftOut.length > 0) world.stdout.write(`Left out:\n${listed(leftOut)}\n`);
  world.stdout.write(`Compare with it later: benchfolio run --baseline ${version}\n`);
  return exit;
}

/** @param {number} n */
const counted = (n) => `${n} record${n === 1 ? '' : 's'}`;

/** @param {{ name: string, why: string }[]} cases */
const listed = (cases) => cases.map(({ name, why }) => `  ${name}: ${why}`).join('\n');
