import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { schemaVersion } from '../../../reports/schema/version.js';
import { UserError } from '../../errors.js';
import { writeWhole } from '../../io/files.js';
import { FileProblem, readOurs, restore } from '../read.js';
import { recordText } from '../record-text.js';
import { trialProblem } from '../schema.js';

/**
 * A comparison whose truth is known, as reports/schema/trial.schema.json describes it.
 * @typedef {{ schema: typeof schemaVersion, id: string, system: string, condition: string, definition: string, blocks: number,
 *   timing: { warmup_s: number, seconds: number }, [key: string]: any }} KeptTrial
 */

/**
 * Where the trials of a system are kept: a file each, written once.
 * @param {{ root: string }} suite
 * @param {string} system
 */
export const trialsFolder = ({ root }, system) => join(root, 'reports', 'calibrations', system);

/**
 * Keeps a trial.
 * @param {{ root: string }} suite
 * @param {KeptTrial} trial
 * @returns {Promise<void>}
 * @throws {UserError} code 4: it is not a trial, or it cannot be written
 */
export async function keepTrial(suite, trial) {
  const problem = trialProblem(trial);
  if (problem) throw new UserError(`trial.json.jq prints what is not a trial: ${problem}`, { code: 4 });
  await writeWhole(join(trialsFolder(suite, trial.system), `${trial.id}.json`), recordText(trial));
}

/**
 * The trials of a system.
 * @param {{ root: string }} suite
 * @param {string} system
 * @returns {{ file: string, trial: KeptTrial }[]} by time
 * @throws {UserError} a file is truncated or no trial: none is dropped in silence
 */
export function readTrials(suite, system) {
  return trialFiles(suite, system).map((file) => {
    const trial = readOurs(file);
    const problem = trialProblem(trial) ?? contradictionIn(trial, basename(file));
    if (problem) throw new FileProblem(file, `is not a trial: ${problem}`, { hint: restore });
    return { file, trial };
  });
}

/**
 * Lists the files of a system's trials.
 * @param {{ root: string }} suite
 * @param {string} system
 * @returns {string[]} by time
 */
export function trialFiles(suite, system) {
  const folder = trialsFolder(suite, system);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.sort().map((name) => join(folder, name));
}

/**
 * What the schema cannot say: a copy would count twice, and blocks are pairs.
 * @param {KeptTrial} trial
 * @param {string} name of its file
 * @returns {string | null}
 */
function contradictionIn({ id, metrics }, name) {
  if (name !== `${id}.json`) return `it is the trial ${id}`;
  const odd = Object.entries(metrics).find(([, { base, head }]) => base.length !== head.length);
  return odd ? `its ${odd[0]} has another number of blocks for base than for head` : null;
}
