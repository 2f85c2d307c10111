import { parseDuration } from './durations.js';
import { durationOf } from './executors.js';

/** @import { K6Options, Stage } from './executors.js' */
/** @import { Case } from './expand.js' */

/** What one core of k6 sends at the most to a trivial service: the bound where nothing else is known. */
const fastest = 15000;

/**
 * The most users (VUs) that a scenario can have at once.
 * @param {K6Options} k6
 * @returns {number}
 */
export function usersOf(k6) {
  if (k6.executor.endsWith('arrival-rate')) return k6.maxVUs ?? k6.preAllocatedVUs;
  if (k6.executor === 'ramping-vus') {
    return Math.max(k6.startVUs ?? 1, ...k6.stages.map((/** @type {Stage} */ stage) => stage.target));
  }
  return k6.vus ?? 1;
}

/**
 * The highest rate that an arrival executor asks for.
 * @param {K6Options} k6
 * @returns {number | null} iterations a second; null: its users set the pace
 */
export function rateOf(k6) {
  const unit = parseDuration(k6.timeUnit ?? '1s');
  if (k6.executor === 'constant-arrival-rate') return k6.rate / unit;
  if (k6.executor !== 'ramping-arrival-rate') return null;
  return Math.max(k6.startRate ?? 0, ...k6.stages.map((/** @type {Stage} */ stage) => stage.target)) / unit;
}

/**
 * What grows from one value to the next over the stages of a ramp: where it was at each end of each stage.
 * @param {K6Options} k6 of a ramping executor
 * @returns {{ from_s: number, to_s: number, before: number, after: number }[]}
 */
export function rampOf(k6) {
  let time = 0;
  let level = k6.executor === 'ramping-vus' ? (k6.startVUs ?? 1) : (k6.startRate ?? 0);
  return k6.stages.map((/** @type {Stage} */ { duration, target }) => {
    const stage = { from_s: time, to_s: time + parseDuration(duration), before: level, after: target };
    [time, level] = [stage.to_s, target];
    return stage;
  });
}

/**
 * How many iterations a scenario has, where its options say so.
 * @param {K6Options} k6
 * @param {{ from_s: number, to_s: number | null }} [window] only those that start in it
 * @returns {number | null} null: the users set the pace
 */
export function iterationsOf(k6, window = { from_s: 0, to_s: null }) {
  if (k6.executor === 'shared-iterations') return k6.iterations ?? 1;
  if (k6.executor === 'per-vu-iterations') return (k6.vus ?? 1) * (k6.iterations ?? 1);
  const to = window.to_s ?? /** @type {number} */ (durationOf(k6));
  if (k6.executor === 'constant-arrival-rate') return Number(rateOf(k6)) * (to - window.from_s);
  if (k6.executor !== 'ramping-arrival-rate') return null;
  const areas = rampOf(k6).map((stage) => areaWithin(stage, window.from_s, to));
  return areas.reduce((sum, area) => sum + area, 0) / parseDuration(k6.timeUnit ?? '1s');
}

/**
 * The area under a linear ramp, of its part in a window.
 * @param {{ from_s: number, to_s: number, before: number, after: number }} stage
 * @param {number} from
 * @param {number} to
 */
function areaWithin({ from_s, to_s, before, after }, from, to) {
  const [start, end] = [Math.max(from, from_s), Math.min(to, to_s)];
  if (end <= start) return 0;
  const level = (/** @type {number} */ t) => before + ((after - before) * (t - from_s)) / (to_s - from_s);
  return ((level(start) + level(end)) / 2) * (end - start);
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
  const rate = rateOf(benchCase.k6);
  if (rate !== null) return rate;
  const think = thinkOf(benchCase);
  return think > 0 ? usersOf(benchCase.k6) / think : Infinity;
}

/**
 * How many requests a run sends: exactly where the executor says so, else at the most.
 * @param {Case} benchCase one that has an executor
 * @returns {{ requests: number, exact: boolean }}
 */
export function requestsOf(benchCase) {
  const iterations = iterationsOf(benchCase.k6);
  if (iterations !== null) return { requests: iterations * requestsPerIteration(benchCase), exact: true };
  const perSecond = mostIterations(benchCase) * requestsPerIteration(benchCase);
  return { requests: Math.min(perSecond, fastest) * /** @type {number} */ (benchCase.duration_s), exact: false };
}
