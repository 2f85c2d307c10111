import type { Run } from '../run-context.js';
import { fingerprintOf } from './fingerprint.js';
import { gitState } from './git-state.js';

/**
 * What is the same for all cases of a run, as case.json and records have it.
 * @param asked command: that measures it again; source: what is measured, where it is not the suite that the run's files are
 *   in
 */
export async function headerOf(
  run: Pick<Run, 'id' | 'time' | 'root' | 'env' | 'k6_version'>,
  {
    source,
    ...options
  }: {
    seed: number;
    rounds: number | null;
    profile: string | null;
    command?: string;
    source?: { commit: string | null; dirty: boolean };
  },
) {
  const { commit, dirty } = source ?? (await gitState(run.root));
  const { id, time, k6_version: k6 } = run;
  return { id, time: time.toISOString(), ...options, commit, dirty, fingerprint: fingerprintOf(run.env, k6) };
}
