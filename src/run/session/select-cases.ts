import type { World } from '../../base/world.js';
import type { Case } from '../../suite/cases/expand.js';
import { loadCases, memoryFor } from '../../suite/check/check.js';
import { needVariables } from '../../suite/run-placeholders.js';
import { defaultSystems, type Suite } from '../../suite/suite.js';
import type { Player } from './player.js';

export type CaseSelection = {
  systems?: string[];
  env?: string;
  scenario?: string | string[];
  set?: Record<string, string>;
  profile?: string | null;
};

/** Of what is measured; memory_bytes: what a k6 process may take; notRun: cases whose status is todo or n-a */
export type RunPlan = { suite: Suite; memory_bytes: number; toRun: Case[]; notRun: Case[] };

/**
 * Chooses what to measure.
 * @param choice env: one by name, or 'all'; default each scenario's first; elsewhere: that is where it is run, and where
 *   environment variables must be set
 * @param world warnings go to its stderr
 * @throws {UserError} nothing to measure, or something is wrong in a spec
 */
export function planRun(
  suite: Suite,
  {
    systems = [],
    env,
    scenario,
    set = {},
    profile = null,
    rounds,
    player,
    elsewhere,
  }: CaseSelection & { rounds?: number; player?: Player; elsewhere?: boolean },
  world: World,
): RunPlan {
  const memory_bytes = memoryFor(suite.bench);
  const cases = loadCases(suite, {
    systems: systems.length > 0 ? systems : defaultSystems(suite),
    environment: env,
    scenario,
    profile,
    set,
    memory: memory_bytes,
    player,
    rounds,
    stream: world.stderr,
  });
  const toRun = cases.filter(({ status }) => status === null);
  if (!elsewhere) needVariables(toRun, world.env);
  return { suite, memory_bytes, toRun, notRun: cases.filter(({ status }) => status !== null) };
}
