import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Trial as KeptTrial } from '../../../reports/schema/types.d.ts';
import { UserError } from '../../base/errors.js';
import { writeWhole } from '../../base/io/files.js';
import { FileProblem, parseLines, readText, restore } from '../read-record.js';
import { recordLine } from '../record-text.js';
import { trialProblem } from '../schema.js';

/**
 * A comparison whose truth is known, as reports/schema/trial.schema.json describes it.
 */

/** Where the trials of a system are kept: a file for each calibration session, a line for each trial. */
export const trialsFolder = ({ root }: { root: string }, system: string) =>
  join(root, 'reports', 'calibrations', system);

/**
 * Keeps a trial. The file of its session is written anew, whole: what stops us in the middle leaves the one before.
 * @throws {UserError} code 4: it is not a trial, or it cannot be written
 */
export async function keepTrial(suite: { root: string }, trial: KeptTrial): Promise<void> {
  const problem = trialProblem(trial);
  if (problem) throw new UserError(`trial.json.jq prints what is not a trial: ${problem}`, { code: 4 });
  const file = join(trialsFolder(suite, trial.system), fileNameOf(trial));
  await writeWhole(file, (existsSync(file) ? readText(file) : '') + recordLine(trial));
}

/**
 * The trials of a system.
 * @returns by session, and within it by time
 * @throws {UserError} a file is truncated, or a line of it is not a trial: none is dropped in silence
 */
export function readTrials(suite: { root: string }, system: string): KeptTrial[] {
  return trialFiles(suite, system).flatMap((file) => {
    const trials = parseLines(readText(file), file) as KeptTrial[];
    const known: Set<string> = new Set();
    for (const [index, trial] of trials.entries()) {
      const problem = trialProblem(trial) ?? contradictionIn(trial, basename(file), known);
      if (problem)
        throw new FileProblem(file, `is not a list of trials: line ${index + 1}: ${problem}`, { hint: restore });
      known.add(trial.id);
    }
    return trials;
  });
}

/**
 * Lists the files of a system's trials.
 * @returns by time
 */
export function trialFiles(suite: { root: string }, system: string): string[] {
  const folder = trialsFolder(suite, system);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.ndjson')) : [];
  return names.sort().map((name) => join(folder, name));
}

/** @param trial "<session>-<number>" */
const fileNameOf = ({ id }: { id: string }) => `${id.slice(0, id.lastIndexOf('-'))}.ndjson`;

/**
 * What the schema cannot say: a copy would count twice, and blocks are pairs.
 * @param name of its file
 * @param known ids of the lines before
 */
function contradictionIn(trial: KeptTrial, name: string, known: ReadonlySet<string>): string | null {
  if (fileNameOf(trial) !== name) return `it is the trial ${trial.id}`;
  if (known.has(trial.id)) return `the trial ${trial.id} is there twice`;
  const [base, head] = [trial.base, trial.head].map((side) => side?.rounds ?? 0);
  return trial.status === 'measured' && base !== head ? `base has ${base} blocks, and head has ${head}` : null;
}
