import { parseDuration } from './durations.js';
import { highestOf, type Load, type Segment } from './executors.js';
import type { Case } from './expand.js';

/** What one core of k6 sends at the most to a trivial service: the bound where nothing else is known. */
const fastest = 15000;

/**
 * The highest rate that a load asks for.
 * @returns iterations a second; null: its users set the pace
 */
export const highestRate = ({ kind, segments }: Load): number | null => (kind === 'open' ? highestOf(segments) : null);

/** Whether a load goes up or down, also by a jump. */
export const isChanging = ({ segments }: Load) => segments.some(({ from, to }) => from !== to);

/**
 * How many iterations a load has, where it says so.
 * @param window only those that are due in it
 * @returns null: the users set the pace
 */
export function iterationsOf(
  { kind, segments, iterations }: Load,
  { from_s, to_s }: { from_s: number; to_s: number | null } = { from_s: 0, to_s: null },
): number | null {
  if (kind !== 'open') return iterations;
  return segments.reduce((sum, segment) => sum + areaWithin(segment, from_s, to_s ?? Infinity), 0);
}

/**
 * The area under a segment, of its part in a window; reports/lib/reduce/load.jq has it too, and vectors/schedules.json holds both.
 * @param start seconds
 */
function areaWithin({ from_s, to_s, from, to }: Segment, start: number, end: number) {
  const [first, last] = [Math.max(start, from_s), Math.min(end, to_s)];
  if (last <= first) return 0;
  const level = (t: number) => from + ((to - from) * (t - from_s)) / (to_s - from_s);
  return ((level(first) + level(last)) / 2) * (last - first);
}

/** How many requests an iteration sends, as far as the spec says: a script is taken for one. */
export const requestsPerIteration = (benchCase: Case): number =>
  benchCase.requests && benchCase.order === 'sequence' ? repeated(benchCase).length : 1;

/** The requests that are sent over and over. */
export const repeated = ({ requests }: Pick<Case, 'requests'>) =>
  (requests ?? []).filter(({ once_per_user }) => !once_per_user);

/**
 * The pauses of an iteration: the time that a user takes at the least, whatever the service does.
 * @returns seconds; with weights, the weighted mean
 */
export function thinkOf(benchCase: Case): number {
  const pauses = repeated(benchCase).map(({ think }) =>
    think === null ? 0 : parseDuration(typeof think === 'object' ? think.mean : think),
  );
  if (benchCase.order === 'sequence') return pauses.reduce((sum, pause) => sum + pause, 0);
  const weights = repeated(benchCase).map(({ weight }) => weight ?? 0);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return pauses.reduce((sum, pause, i) => sum + (pause * weights[i]) / total, 0);
}

/**
 * How many iterations a second a scenario starts at the most.
 * @returns Infinity: its users do not pause
 */
export function mostIterations(benchCase: Case): number {
  const rate = highestRate(benchCase.load);
  if (rate !== null) return rate;
  const think = thinkOf(benchCase);
  return think > 0 ? benchCase.load.users / think : Infinity;
}

/**
 * How many requests a run sends: exactly where the executor says so, else at the most.
 * @param benchCase one that has an executor
 */
export function requestsOf(benchCase: Case): { requests: number; exact: boolean } {
  const iterations = iterationsOf(benchCase.load);
  if (iterations !== null) return { requests: iterations * requestsPerIteration(benchCase), exact: true };
  const perSecond = mostIterations(benchCase) * requestsPerIteration(benchCase);
  return { requests: Math.min(perSecond, fastest) * (benchCase.duration_s as number), exact: false };
}
