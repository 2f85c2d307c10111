import { join } from 'node:path';
import { counted } from '../../base/format.js';
import { Interrupted } from '../../base/process/failure.js';
import { addRecord, whyNotKept } from '../../records/keep.js';
import { reduceCase } from '../../records/reduce-case.js';
import type { Case } from '../../suite/cases/expand.js';
import { limits } from '../../suite/cases/tables.js';
import { type CaseResult, measureCase } from '../measure/measure-case.js';
import type { Progress, Run } from '../run-context.js';
import { buildServices } from '../services/build-services.js';
import { serviceKeeper } from '../services/service-pool.js';
import type { CaseOutcome } from '../session/conclude.js';
import { orderOf } from '../session/random-order.js';
import { type Asked, caseCommandOf } from '../session/repeat-command.js';
import { headerOf } from '../session/run-header.js';
import { budgetOf } from './budget.js';

/**
 * Measures cases in random order.
 * @param selection version: that keeps each case as it ends; budget_s: seconds
 * @returns in the order of the spec, not in that of measuring
 */
export async function measureCases(
  cases: readonly Case[],
  selection: Asked & { version?: string; budget_s?: number },
  run: Run,
): Promise<CaseOutcome[]> {
  const { rounds, seed, version, budget_s } = selection;
  const order = orderOf(cases, seed);
  const budget = budgetOf(budget_s, rounds);
  run.seed = seed;
  const header = await headerOf(run, { seed, rounds, profile: selection.profile ?? null });
  const keeper = serviceKeeper(run);
  const outcomes: Map<Case, CaseOutcome> = new Map(cases.map((benchCase) => [benchCase, notStarted(benchCase)]));
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

/** Keeps a case in a version, before anything can happen to what is measured after it. */
async function keepCase(version: string, dir: string, run: Run) {
  const folder = join(run.folder, dir);
  const record = await reduceCase(folder);
  const why = record && whyNotKept(record);
  if (record && why === null) await addRecord(run, version, record, join(folder, 'kept.json'));
  else run.progress.note(`not kept in ${version}: ${why ?? 'no round was completed'}`);
}

/** @returns its folder, relative to the run's */
const dirOf = ({ system, environment, name }: Case): string => join(system, environment, name);

function notStarted(benchCase: Case): CaseOutcome {
  return { ...listed(benchCase), status: 'interrupted', reason: 'interrupted before it began' };
}

/**
 * Says which cases are not run, and why.
 * @param cases whose status is todo or n-a
 */
export function noteNotRun(cases: readonly Case[], progress: Progress) {
  for (const { system, environment, name, status, reason } of cases) {
    progress.note(`not run: ${system}/${environment}/${name} (${status}: ${reason})`);
  }
}

/**
 * Cases that are not run, because the spec says so.
 * @param cases whose status is todo or n-a
 */
export const notRunOutcomes = (cases: readonly Case[]): CaseOutcome[] =>
  cases.map((benchCase) => ({
    ...listed(benchCase),
    status: benchCase.status as 'todo' | 'n-a',
    reason: benchCase.reason,
  }));

const listed = (benchCase: Case) => ({
  system: benchCase.system,
  environment: benchCase.environment,
  case: benchCase.name,
  dir: dirOf(benchCase),
});

function outcomeText({ status, rounds, reason }: CaseResult) {
  if (status === 'measured') return `measured, ${counted(rounds, 'round')}`;
  return status === 'error' ? `ERROR: ${reason}` : String(reason);
}
