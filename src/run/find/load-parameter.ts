import { UserError } from '../../base/errors.js';
import { constantExecutors, loadParameterOf } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';

/**
 * What a scenario's load is a number of.
 * unit: as records have it; metric: what is found
 */
export type LoadParameter = { parameter: 'rate' | 'vus'; unit: string; metric: string };

const loads: Record<'rate' | 'vus', LoadParameter> = {
  rate: { parameter: 'rate', unit: '1/s', metric: 'load_rps_max' },
  vus: { parameter: 'vus', unit: '1', metric: 'load_users_max' },
};

/** @throws {UserError} its load is not one number */
export function loadOf(benchCase: Case): LoadParameter {
  const { scenario, k6 } = benchCase;
  const parameter = loadParameterOf(benchCase);
  if (parameter) return loads[parameter];
  throw new UserError(`${scenario} has the executor ${k6.executor}: its load is not one number that could be raised`, {
    hint: `Find the highest load of a scenario with ${constantExecutors.join(' or ')}.`,
  });
}
