import { join } from 'node:path';
import { type CaseFailure, caseFailureOf } from '../../base/process/failure.js';
import type { Case } from '../../suite/cases/expand.js';
import type { Run } from '../run-context.js';
import { buildServices } from '../services/build-services.js';
import { environmentSetups } from '../services/environment-setup.js';
import type { SideName } from './split.js';

/**
 * Builds the services of a side, and sets its environments up: each once, before anything is measured.
 * @param run as the side sees it
 * @returns why a case cannot be measured on that side; null: it can
 */
export async function prepareSide(
  cases: readonly Case[],
  run: Run,
  side: SideName,
): Promise<(benchCase: Case) => CaseFailure | null> {
  const unbuilt = await buildServices(cases, run, side);
  const setups = environmentSetups(run, side);
  /** by environment */
  const failures: Map<string, CaseFailure | null> = new Map();
  for (const benchCase of cases.filter((candidate) => unbuilt(candidate) === null))
    failures.set(environmentOf(benchCase), await setups(benchCase).then(() => null, caseFailureOf));
  return (benchCase) => unbuilt(benchCase) ?? failures.get(environmentOf(benchCase)) ?? null;
}

const environmentOf = ({ system, environment }: Case) => join(system, environment);
