import { UserError } from '../../base/errors.js';
import { defaultSystems } from '../../suite/suite.js';
import { planRun } from '../session/select-cases.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { CaseSelection, RunPlan } from '../session/select-cases.js' */
/** @import { Suite } from '../../suite/suite.js' */
/** @import { World } from '../../base/world.js' */

/**
 * Chooses the case whose load is searched. Cases that differ only in their load are one.
 * @param {Suite} suite
 * @param {CaseSelection & { system?: string }} choice
 * @param {World} world warnings go to its stderr
 * @returns {RunPlan} of one case
 * @throws {UserError} there are several
 */
export function selectCase(suite, { system = defaultSystems(suite)[0], ...choice }, world) {
  const plan = planRun(suite, { ...choice, systems: [system] }, world);
  const different = [
    ...new Map(plan.toRun.map((benchCase) => [JSON.stringify(withoutLoad(benchCase)), benchCase])).values(),
  ];
  if (different.length === 1) return { ...plan, toRun: plan.toRun.slice(0, 1) };
  throw new UserError(`find takes one scenario, and there are ${different.length}`, {
    hint: `Choose: ${different.map(optionsFor).join('; ')}`,
  });
}

/** What a case is but for its load. @param {Case} benchCase */
function withoutLoad({ environment, scenario, k6, services, requests, script, rows, network }) {
  const { rate, vus, preAllocatedVUs, maxVUs, duration, ...rest } = k6;
  return { environment, scenario, rest, services, requests, script, rows, network };
}

/** @param {Case} benchCase */
const optionsFor = ({ scenario, values }) =>
  [`--scenario ${scenario}`, ...Object.entries(values).map(([key, value]) => `--set ${key}=${value}`)].join(' ');
