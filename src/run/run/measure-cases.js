import { join } from 'node:path';
import { counted } from '../../base/format.js';
import { Interrupted } from '../../base/process/failure.js';
import { addRecord, whyNotKept } from '../../records/keep.js';
import { reduceCase } from '../../records/reduce-case.js';
import { limits } from '../../suite/cases/tables.js';
import { measureCase } from '../measure/measure-case.js';
import { buildServices } from '../services/build-services.js';
import { serviceKeeper } from '../services/service-pool.js';
import { orderOf } from '../session/random-order.js';
import { caseCommandOf } from '../session/repeat-command.js';
import { headerOf } from '../session/run-header.js';
import { budgetOf } from './budget.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { Progress, Run } from '../run-context.js' */
/** @import { CaseOutcome } from '../session/conclude.js' */
/** @import { Asked } from '../session/repeat-command.js' */
/** @import { CaseResult } from '../measure/measure-case.js' */

/**
 * Measures cases in random order.
 * @param {readonly Case[]} cases
 * @param {Asked & { version?: string, budget_s?: number }} selection version: that keeps
 *   each case as it ends; budget_s: seconds
 * @param {Run} run
 * @returns {Promise<CaseOutcome[]>} in the order of the spec, not in that of measuring
 */
export async function measureCases(cases, selection, run) {
  const { rounds, seed, version, budget_s } = selection;
  const order = orderOf(cases, seed);
  const budget = budgetOf(budget_s, rounds);
  run.seed = seed;
  const header = await headerOf(run, { seed, rounds, profile: selection.profile ?? null });
  const keeper = serviceKeeper(run);
  /** @type {Map<Case, CaseOutcome>} */
  const outcomes = new Map(cases.map((benchCase) => [benchCase, notStarted(benchCase)]));
  try {
    const buildFailure = await buildServices(order, run);
    run.progress.begin(order, rounds, seed);
    for (const [index, benchCase] of order.entries()) {
      if (run.interrupt.asked) break;
      if (!budget.fits(benchCase)) {
        outcomes.set(benchCase, { ...notStarted(benchCase), reason: 'no time was left in the budget' });
        continue;
      }
      run.progress.beginCase(index);
      const outcome = await measureCase(
        benchCase,
        {
          folder: join(run.folder, dirOf(benchCase)),
          rounds,
          repeats: limits.disturbed_repeats,
          built: buildFailure(benchCase),
          keeper,
          header: { ...header, command: caseCommandOf(benchCase, selection) },
        },
        run,
      );
      run.progress.endCase(outcomeText(outcome), outcome.more);
      if (version !== undefined && outcome.status === 'measured') await keepCase(version, dirOf(benchCase), run);
      outcomes.set(benchCase, { ...notStarted(benchCase), status: outcome.status, reason: outcome.reason });
    }
    const left = budget.leftText();
    if (left) run.progress.note(left);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error; // while building
  } finally {
    await keeper.end();
    run.progress.end();
  }
  return [...outcomes.values()];
}

/**
 * Keeps a case in a version, before anything can happen to what is measured after it.
 * @param {string} version
 * @param {string} dir
 * @param {Run} run
 */
async function keepCase(version, dir, run) {
  const folder = join(run.folder, dir);
  const record = await reduceCase(folder);
  const why = record && whyNotKept(record);
  if (record && why === null) await addRecord(run, version, record, join(folder, 'kept.json'));
  else run.progress.note(`not kept in ${version}: ${why ?? 'no round was completed'}`);
}

/**
 * @param {Case} benchCase
 * @returns {string} its folder, relative to the run's
 */
const dirOf = ({ system, environment, name }) => join(system, environment, name);

/** @param {Case} benchCase @returns {CaseOutcome} */
function notStarted(benchCase) {
  return { ...listed(benchCase), status: 'interrupted', reason: 'interrupted before it began' };
}

/**
 * Says which cases are not run, and why.
 * @param {readonly Case[]} cases whose status is todo or n-a
 * @param {Progress} progress
 */
export function noteNotRun(cases, progress) {
  for (const { system, environment, name, status, reason } of cases) {
    progress.note(`not run: ${system}/${environment}/${name} (${status}: ${reason})`);
  }
}

/**
 * Cases that are not run, because the spec says so.
 * @param {readonly Case[]} cases whose status is todo or n-a
 * @returns {CaseOutcome[]}
 */
export const notRunOutcomes = (cases) =>
  cases.map((benchCase) => ({
    ...listed(benchCase),
    status: /** @type {'todo' | 'n-a'} */ (benchCase.status),
    reason: benchCase.reason,
  }));

/** @param {Case} benchCase */
const listed = (benchCase) => ({
  system: benchCase.system,
  environment: benchCase.environment,
  case: benchCase.name,
  dir: dirOf(benchCase),
});

/** @param {CaseResult} outcome */
function outcomeText({ status, rounds, reason }) {
  if (status === 'measured') return `measured, ${counted(rounds, 'round')}`;
  return status === 'error' ? `ERROR: ${reason}` : String(reason);
}
