import { parseDuration, showDuration } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';

/** Seconds for what no option of k6 bounds: its start, and writing its summary. */
const grace_s = 60;

/** Seconds that one more user adds to its start, on a slow machine. */
const perUser_s = 0.02;

/** Seconds that k6 gives to the setup() of a script, and as many to its teardown(). */
const setup_s = 60;

/**
 * The longest that k6 may take for one load, by its own options: scenario, iterations that end gracefully, setup.
 * @returns seconds
 */
export function plannedTime({ k6, duration_s, script }: Pick<Case, 'k6' | 'duration_s' | 'script'>): number {
  const { maxDuration = '10m', gracefulStop = '30s', gracefulRampDown = '0s' } = k6; // k6's defaults
  const ending = Math.max(parseDuration(gracefulStop), parseDuration(gracefulRampDown));
  return (duration_s ?? parseDuration(maxDuration)) + ending + (script === null ? 0 : 2 * setup_s);
}

/**
 * When a load is ended that does not end by itself: k6 was stopped, or cannot write.
 * @returns after_s: from its start on; reason: for people
 */
export function timeLimit(benchCase: Case): { after_s: number; reason: string } {
  const planned_s = plannedTime(benchCase);
  const after_s = planned_s + grace_s + benchCase.load.users * perUser_s;
  const [after, planned] = [after_s, planned_s].map((seconds) => showDuration(Math.ceil(seconds)));
  return {
    after_s,
    reason: `k6 did not end within ${after} (expected at most ${planned}): it may be suspended, or blocked on output`,
  };
}
