import { join } from 'node:path';
import { Option } from 'commander';
import { keptDuets, readDuet } from '../../records/duets.js';
import { readOurs } from '../../records/read-record.js';
import { printReport, reduceRun } from '../../records/records.js';
import { duetFile, findRun, olderRunNote, readRun } from '../../records/runs.js';
import { loadSuite } from '../../suite/suite.js';

/** @import { Command } from 'commander' */
/** @import { Comparison } from '../../../reports/schema/types.d.ts' */
/** @import { UserError } from '../../base/errors.js' */
/** @import { ReportFormat } from '../../records/print.js' */
/** @import { Suite } from '../../suite/suite.js' */
/** @import { World } from '../../base/world.js' */

/**
 * @param {Command} program
 * @param {World} world
 */
export function register(program, world) {
  program
    .command('report [run]')
    .summary('judge a run again and print the result; measures nothing')
    .description('reduce and judge a run again and print the result; measures nothing (default: the last run)')
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'markdown', 'json']).default('text'))
    .option('--baseline <version>', 'compare with another version than the run did')
    .action(async (run, options) => {
      world.exitCode = await report({ run, ...options }, world);
    });
}

/**
 * Reduces the raw files of a run again, and prints how it came out.
 * @param {{ run?: string, format?: ReportFormat, baseline?: string }} options run: an id, a
 *   folder or "latest"
 * @param {World} world
 * @returns {Promise<number>} the exit code of the outcome
 * @throws {UserError} there is no such run
 */
export async function report({ run, format, baseline }, world) {
  const suite = loadSuite(world.cwd);
  const judged = run === undefined ? null : duetOf(suite, run);
  if (judged) {
    await printReport({ comparison: judged, format, reports: join(suite.root, 'reports') }, world);
    return judged.exit;
  }
  const runDir = findRun(suite, run, world.cwd);
  if (run === undefined) world.stderr.write(olderRunNote(suite));
  const chosenBaseline = baseline ?? readRun(runDir).options?.baseline ?? null;
  const { comparison, records } = await reduceRun({ suite, runDir, baseline: chosenBaseline });
  await printReport({ comparison, records, format, reports: join(suite.root, 'reports') }, world);
  return comparison.exit;
}

/**
 * The outcome of a duet, which is printed as it was: its blocks were judged together, interim look by interim look.
 * @param {Suite} suite
 * @param {string} which an id, or what it was kept as
 * @returns {Comparison | null} null: it is not a comparison
 */
function duetOf(suite, which) {
  const measured = duetFile(suite, which);
  if (measured !== null) return /** @type {Comparison} */ (readOurs(measured));
  const kept = keptDuets(suite, () => {}).find(({ name }) => name === which);
  return kept ? readDuet(kept) : null;
}
