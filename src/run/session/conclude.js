import { join } from 'node:path';
import { schemaVersion } from '../../../reports/schema/version.js';
import { writeJson, writeWhole } from '../../base/io/files.js';
import { printReport, reduceRun } from '../../records/records.js';
import { benchDir } from '../../suite/suite.js';
import { deleteScratch } from './session.js';

/** @import { UserError } from '../../base/errors.js' */
/** @import { Run } from '../run-context.js' */
/** @import { Suite } from '../../suite/suite.js' */
/** @import { World } from '../../base/world.js' */

/**
 * How a case of a run ended, as run.json has it.
 * @typedef {{ system: string, environment: string, case: string, dir: string, reason: string | null,
 *   status: 'measured' | 'error' | 'interrupted' | 'todo' | 'n-a' }} CaseOutcome dir: its folder, relative to the run's
 */

/**
 * Writes down what was measured, judges it, and prints the outcome.
 * @param {Suite} suite
 * @param {{ command: string, options: { baseline?: string, json?: boolean }, cases: CaseOutcome[] }} measured command: that
 *   does the same again; options: as they were given; json: print comparison.json rather than text
 * @param {Run} run
 * @param {World} world
 * @returns {Promise<number>} the exit code of comparison.json
 * @throws {UserError} code 4: jq is missing or failed, or the disk is full
 */
export async function conclude(suite, { command, options, cases }, run, world) {
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
