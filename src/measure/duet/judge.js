import { join, relative } from 'node:path';
import { judge } from '../../records/judge.js';
import { reduceCase } from '../../records/reduce-case.js';
import { sideNames } from './split.js';

/**
 * Judges cases of a duet together, from the blocks that there are so far.
 * @param {readonly import('./measure-pair.js').Outcome[]} outcomes
 * @param {{ base: import('./sides.js').Side, head: import('./sides.js').Side, time: Date, command: string,
 *   suite: import('../../suite.js').Suite, gone?: readonly string[] }} context suite: head's; gone: systems that base has
 *   and head has not
 * @param {{ folder: string, run: string | null, root: string }} place folder: where the plan goes; run: its id, null
 *   for an interim look; root: what files are told from
 * @returns {Promise<any>} the comparison
 */
export async function judgeDuet(outcomes, { base, head, time, command, suite, gone = [] }, { folder, run, root }) {
  const reports = join(suite.root, 'reports');
  const cases = gone.map((system) => goneCase(system, base.label));
  for (const outcome of outcomes) {
    const records = await Promise.all(sideNames.map((side) => recordOf(join(outcome.folder, side), reports)));
    cases.push(plannedCase(outcome, base.label, records));
  }
  return judge(
    {
      schema: 1,
      run,
      time: time.toISOString(),
      command,
      folder: relative(root, folder),
      baseline: base.label,
      head: head.label,
      compare: suite.bench.compare ?? null,
      cases,
    },
    join(folder, 'plan.json'),
    { reports, root },
  );
}

/**
 * What nothing measures any more is told, and is no pass.
 * @param {string} system
 * @param {string} baseline
 * @returns {import('../../records/judge.js').PlannedCase}
 */
const goneCase = (system, baseline) => ({
  system,
  environment: 'all',
  case: 'all',
  scenario: null,
  values: {},
  status: 'measured',
  baseline,
  series: [],
  reason: `${baseline} has specs/${system}, and head has not: nothing measures it any more`,
  base_reason: null,
  head: null,
  base: null,
});

/**
 * A base that failed on the way is nothing to compare with, however good its first blocks were.
 * @param {import('./measure-pair.js').Outcome} outcome
 * @param {string} baseline
 * @param {(string | null)[]} records of base and head
 * @returns {import('../../records/judge.js').PlannedCase}
 */
const plannedCase = ({ benchCase, status, reason, base_reason, pair }, baseline, [base, head]) => ({
  system: benchCase.system,
  environment: benchCase.environment,
  case: benchCase.name,
  scenario: benchCase.scenario,
  values: benchCase.values,
  status,
  reason,
  base_reason,
  baseline,
  series: [],
  pair,
  head,
  base: base_reason === null ? base : null,
});

/**
 * @param {string} folder of a side
 * @param {string} reports
 * @returns {Promise<string | null>} the record's file; null: it has no block
 */
const recordOf = async (folder, reports) =>
  (await reduceCase(folder, { reports })) ? join(folder, 'record.json') : null;
