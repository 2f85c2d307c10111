import { join } from 'node:path';
import { schemaVersion } from '../../../reports/schema/version.js';
import { writeJson, writeWhole } from '../../base/io/files.js';
import type { World } from '../../base/world.js';
import { printReport, reduceRun } from '../../records/records.js';
import { benchDir, type Suite } from '../../suite/suite.js';
import type { Run } from '../run-context.js';
import { deleteScratch } from './session.js';

/**
 * How a case of a run ended, as run.json has it.
 * dir: its folder, relative to the run's
 */
export type CaseOutcome = {
  system: string;
  environment: string;
  case: string;
  dir: string;
  reason: string | null;
  status: 'measured' | 'error' | 'interrupted' | 'todo' | 'n-a';
};

/**
 * Writes down what was measured, judges it, and prints the outcome.
 * @param measured command: that does the same again; options: as they were given; json: print comparison.json rather than
 *   text
 * @returns the exit code of comparison.json
 * @throws {UserError} code 4: jq is missing or failed, or the disk is full
 */
export async function conclude(
  suite: Suite,
  {
    command,
    options,
    cases,
  }: { command: string; options: { baseline?: string; json?: boolean }; cases: CaseOutcome[] },
  run: Run,
  world: World,
): Promise<number> {
  deleteScratch(run, cases);
  await writeJson(join(run.folder, 'run.json'), {
    schema: schemaVersion,
    id: run.id,
    time: run.time.toISOString(),
    command,
    options,
    cases,
  });
  await writeWhole(join(benchDir(suite), 'latest'), `${run.id}\n`);
  const { baseline, json = false } = options;
  const { comparison, records } = await reduceRun({ suite, runDir: run.folder, baseline });
  const printed = await printReport(
    { comparison, records, format: json ? 'json' : 'text', reports: join(suite.root, 'reports') },
    world,
  );
  run.progress.result(printed);
  return comparison.exit;
}
