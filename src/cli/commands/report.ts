import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { Comparison } from '../../../reports/schema/types.d.ts';
import type { World } from '../../base/world.js';
import { keptDuets, readDuet } from '../../records/duets.js';
import type { ReportFormat } from '../../records/print.js';
import { readOurs } from '../../records/read-record.js';
import { printReport, reduceRun } from '../../records/records.js';
import { duetFile, findRun, olderRunNote, readRun } from '../../records/runs.js';
import { loadSuite, type Suite } from '../../suite/suite.js';

export function register(program: Command, world: World) {
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
 * @param options run: an id, a folder or "latest"
 * @returns the exit code of the outcome
 * @throws {UserError} there is no such run
 */
export async function report(
  { run, format, baseline }: { run?: string; format?: ReportFormat; baseline?: string },
  world: World,
): Promise<number> {
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
 * @param which an id, or what it was kept as
 * @returns null: it is not a comparison
 */
function duetOf(suite: Suite, which: string): Comparison | null {
  const measured = duetFile(suite, which);
  if (measured !== null) return readOurs(measured) as Comparison;
  const kept = keptDuets(suite, () => {}).find(({ name }) => name === which);
  return kept ? readDuet(kept) : null;
}
