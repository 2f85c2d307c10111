import { UserError } from '../../base/errors.js';
import type { World } from '../../base/world.js';
import { defaultSystems, readSpec, type Suite } from '../../suite/suite.js';
import { planRun, type RunPlan } from '../session/select-cases.js';
import { type Condition, conditionsOf } from './conditions.js';

/**
 * The case that a system is calibrated with, as its spec says.
 * @param world warnings go to its stderr
 * @returns plan: of one case
 * @throws {UserError}
 */
export function chooseCase(
  suite: Suite,
  { system, only }: { system?: string; only?: string },
  world: World,
): { plan: RunPlan; conditions: Condition[]; set: Record<string, string> } {
  const name = system ?? defaultSystems(suite)[0];
  const { calibrate } = readSpec(suite, name);
  if (!calibrate) {
    throw new UserError(
      `specs/${name}/spec.toml has no [calibrate]: which scenario is a duet of it to be tried with?`,
      {
        hint: 'Add [calibrate] with a `scenario`, and `kinds`: environment variables by which the service becomes slower, leaks or fails.',
      },
    );
  }
  const set = Object.fromEntries(Object.entries(calibrate.set ?? {}).map(([key, value]) => [key, String(value)]));
  const { scenario, environment: env, profile } = calibrate;
  const plan = planRun(suite, { systems: [name], scenario, env, profile, set }, world);
  const { toRun } = plan;
  if (toRun.length !== 1) {
    throw new UserError(`[calibrate] of specs/${name}/spec.toml leaves ${toRun.length} cases, and must leave one`, {
      hint: `They are ${toRun.map((benchCase) => `${benchCase.environment}/${benchCase.name}`).join(', ') || 'none'}. Narrow its \`set\`.`,
    });
  }
  const all = conditionsOf(calibrate);
  const conditions = only === undefined ? all : all.filter((condition) => condition.name === only);
  if (conditions.length === 0) {
    throw new UserError(`there is no condition "${only}"`, {
      hint: `There are ${all.map((condition) => condition.name).join(', ')}.`,
    });
  }
  return { plan, conditions, set };
}
