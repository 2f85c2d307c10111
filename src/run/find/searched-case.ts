import { UserError } from '../../base/errors.js';
import type { World } from '../../base/world.js';
import type { Case } from '../../suite/cases/expand.js';
import { defaultSystems, type Suite } from '../../suite/suite.js';
import { type CaseSelection, planRun, type RunPlan } from '../session/select-cases.js';

/**
 * Chooses the case whose load is searched. Cases that differ only in their load are one.
 * @param world warnings go to its stderr
 * @returns of one case
 * @throws {UserError} there are several
 */
export function selectCase(
  suite: Suite,
  { system = defaultSystems(suite)[0], ...choice }: CaseSelection & { system?: string },
  world: World,
): RunPlan {
  const plan = planRun(suite, { ...choice, systems: [system] }, world);
  const different = [
    ...new Map(plan.toRun.map((benchCase) => [JSON.stringify(withoutLoad(benchCase)), benchCase])).values(),
  ];
  if (different.length === 1) return { ...plan, toRun: plan.toRun.slice(0, 1) };
  throw new UserError(`find takes one scenario, and there are ${different.length}`, {
    hint: `Choose: ${different.map(optionsFor).join('; ')}`,
  });
}

/** A case without its load. */
function withoutLoad({ environment, scenario, k6, services, requests, script, rows, network }: Case) {
  const { rate, vus, preAllocatedVUs, maxVUs, duration, ...rest } = k6;
  return { environment, scenario, rest, services, requests, script, rows, network };
}

const optionsFor = ({ scenario, values }: Case) =>
  [`--scenario ${scenario}`, ...Object.entries(values).map(([key, value]) => `--set ${key}=${value}`)].join(' ');
