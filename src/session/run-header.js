import { fingerprintOf } from './fingerprint.js';
import { gitState } from './git-state.js';

/**
 * What is the same for all cases of a run, as case.json and records have it.
 * @param {import('../run-context.js').Run} run
 * @param {{ seed: number, rounds: number, profile: string | null }} asked
 */
export const headerOf = async (run, { seed, rounds, profile }) => ({
  id: run.id,
  time: run.time.toISOString(),
  seed,
  rounds,
  profile,
  ...(await gitState(run.root)),
  fingerprint: fingerprintOf(run.env, run.k6_version),
});
