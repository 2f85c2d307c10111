import { join } from 'node:path';
import { caseFailureOf } from '../../base/process/failure.js';
import { buildServices } from '../services/build-services.js';
import { environmentSetups } from '../services/environment-setup.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { CaseFailure } from '../../base/process/failure.js' */
/** @import { Run } from '../run-context.js' */
/** @import { SideName } from './split.js' */

/**
 * Builds the services of a side, and sets its environments up: each once, before anything is measured.
 * @param {readonly Case[]} cases
 * @param {Run} run as the side sees it
 * @param {SideName} side
 * @returns {Promise<(benchCase: Case) => CaseFailure | null>} why a case cannot be measured on that side; null: it can
 */
export async function prepareSide(cases, run, side) {
  const unbuilt = await buildServices(cases, run, side);
  const setups = environmentSetups(run, side);
  /** @type {Map<string, CaseFailure | null>} by environment */
  const failures = new Map();
  for (const benchCase of cases.filter((candidate) => unbuilt(candidate) === null))
    failures.set(environmentOf(benchCase), await setups(benchCase).then(() => null, caseFailureOf));
  return (benchCase) => unbuilt(benchCase) ?? failures.get(environmentOf(benchCase)) ?? null;
}

/** @param {Case} benchCase */
const environmentOf = ({ system, environment }) => join(system, environment);
