import { parseDuration } from './durations.js';
import { highestOf } from './executors.js';

/** @import { Load, Segment } from './executors.js' */
/** @import { Case } from './expand.js' */

/** What one core of k6 sends at the most to a trivial service: the bound where nothing else is known. */
const fastest = 15000;

/**
 * The highest rate that a load asks for.
 * @param {Load} load
 * @returns {number | null} iterations a second; null: its users set the pace
 */
export const highestRate = ({ kind, segments }) => (kind === 'open' ? highestOf(segments) : null);

/**
 * Whether a load goes up or down, also by a jump.
 * @param {Load} load
 */
export const isChanging = ({ segments }) => segments.some(({ from, to }) => from !== to);

/**
 * How many iterations a load has, where it says so.
 * @param {Load} load
 * @param {{ from_s: number, to_s: number | null }} [window] only those that are due in it
 * @returns {number | null} null: the users set the pace
 */
export function iterationsOf({ kind, segments, iterations }, { from_s, to_s } = { from_s: 0, to_s: null }) {
  if (kind !== 'open') return iterations;
  return segments.reduce((sum, segment) => sum + areaWithin(segment, from_s, to_s ?? Infinity), 0);
}

/**
 * The area under a segment, of its part in a window; reports/lib/reduce/load.jq has it too, and vectors/schedules.json holds both.
 * @param {Segment} segment
 * @param {number} start seconds
 * @param {number} end
 */
function areaWithin({ from_s, to_s, from, to }, start, end) {
  const [first, last] = [Math.max(start, from_s), Math.min(end, to_s)];
  if (last <= first) return 0;
  const level = (/** @type {number} */ t) => from + ((to - from) * (t - from_s)) / (to_s - from_s);
  return ((level(first) + level(last)) / 2) * (last - first);
}

/**
 * How many requests an iteration sends, as far as the spec says: a script is taken for one.
 * @param {Case} benchCase
 * @returns {number}
 */
export const requestsPerIteration = (benchCase) =>
  benchCase.requests && benchCase.order === 'sequence' ? repeated(benchCase).length : 1;

/**
 * The requests that are sent over and over.
 * @param {Pick<Case, 'requests'>} benchCase
 */
export const repeated = ({ requests }) => (requests ?? []).filter(({ once_per_user }) => !once_per_user);

/**
 * The pauses of an iteration: what a user is busy with at the least, whatever the service does.
 * @param {Case} benchCase
 * @returns {number} seconds; with weights, the weighted mean
 */
export function thinkOf(benchCase) {
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
 * @param {Case} benchCase
 * @returns {number} Infinity: its users do not pause
 */
export function mostIterations(benchCase) {
  const rate = highestRate(benchCase.load);
  if (rate !== null) return rate;
  const think = thinkOf(benchCase);
  return think > 0 ? benchCase.load.users / think : Infinity;
}

/**
 * How many requests a run sends: exactly where the executor says so, else at the most.
 * @param {Case} benchCase one that has an executor
 * @returns {{ requests: number, exact: boolean }}
 */
export function requestsOf(benchCase) {
  const iterations = iterationsOf(benchCase.load);
  if (iterations !== null) return { requests: iterations * requestsPerIteration(benchCase), exact: true };
  const perSecond = mostIterations(benchCase) * requestsPerIteration(benchCase);
  return { requests: Math.min(perSecond, fastest) * /** @type {number} */ (benchCase.duration_s), exact: false };
}
