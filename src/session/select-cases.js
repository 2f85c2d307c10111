import { loadCases } from '../check/index.js';
import { isColoured } from '../color.js';
import { needVariables } from '../placeholders.js';
import { defaultSystems } from '../suite.js';

/**
 * @typedef {import('../spec/index.js').Case} Case
 * @typedef {{ systems?: string[], env?: string, scenario?: string, set?: Record<string, string>,
 *   profile?: string | null }} Choice
 */

/**
 * Chooses what to measure.
 * @param {import('../suite.js').Suite} suite
 * @param {Choice & { rounds?: number }} choice env: one by name, or 'all'; default each scenario's first
 * @param {{ memory_bytes: number, world: import('../world.js').World }} given memory_bytes: what k6 may use; warnings go
 *   to the world's stderr
 * @returns {{ toRun: Case[], notRun: Case[] }} notRun: those whose status is todo or n-a
 * @throws {UserError} nothing to measure, or something is wrong in a spec
 */
export function planRun(
  suite,
  { systems = [], env, scenario, set = {}, profile = null, rounds },
  { memory_bytes, world },
) {
  const cases = loadCases(suite, {
    systems: systems.length > 0 ? systems : defaultSystems(suite),
    environment: env,
    scenario,
    profile,
    set,
    memory: memory_bytes,
    rounds,
    color: isColoured(world.stderr, world.env),
    warn: (text) => void world.stderr.write(text),
  });
  const toRun = cases.filter(({ status }) => status === null);
  needVariables(toRun, world.env);
  return { toRun, notRun: cases.filter(({ status }) => status !== null) };
}
