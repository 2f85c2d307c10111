import { parseDuration } from './durations.js';

/**
 * @import { Case } from './expand.js'
 * @typedef {{ load: number, seconds: number }} Probe load: iterations a second, or users; seconds: measured, after the time
 *   that the spec takes to get warm
 */

/** What of a scenario is its load, by executor. @type {Record<string, 'rate' | 'vus'>} */
export const loadParameters = { 'constant-arrival-rate': 'rate', 'constant-vus': 'vus' };

/** More users need memory, and k6 is slow with them. */
const mostUsers = 5000;

/** What a request may take when no threshold says. */
const usualLimit_s = 1;

/**
 * A case under another load than the spec's, for a time of its own. An open load gets users for twice the time that its
 * thresholds allow a request: where these are not enough, the thresholds are missed, or would be.
 * @param {Case} benchCase
 * @param {Probe} probe
 * @returns {Case}
 */
export function underLoad(benchCase, { load, seconds }) {
  const duration_s = benchCase.window.from_s + seconds;
  const timed = {
    ...benchCase,
    duration_s,
    window: { ...benchCase.window, to_s: duration_s },
    saturation: /** @type {const} */ ('error'),
    faults: [],
  };
  /** @type {Record<string, any>} */
  const { maxVUs, timeUnit, ...k6 } = { ...benchCase.k6, duration: `${duration_s}s` };
  if (k6.executor === 'constant-vus') return { ...timed, k6: { ...k6, vus: Math.max(1, Math.round(load)) } };
  const per_s = unitOf(load);
  return {
    ...timed,
    k6: {
      ...k6,
      rate: Math.max(1, Math.round(load * per_s)),
      timeUnit: `${per_s}s`,
      preAllocatedVUs: usersFor(benchCase, load),
    },
  };
}

/** k6 takes whole numbers: of fewer a second, so many in ten or a hundred. @param {number} load */
const unitOf = (load) => [1, 10, 100].find((by) => load * by >= 200) ?? 100;

/**
 * The load of a case, as it is.
 * @param {Case} benchCase
 * @returns {number} iterations a second, or users
 */
export const loadNow = ({ k6 }) =>
  k6.executor === 'constant-vus'
    ? (k6.vus ?? 1)
    : k6.rate / (k6.timeUnit === undefined ? 1 : parseDuration(k6.timeUnit));

/** @param {Case} benchCase @param {number} load */
function usersFor({ thresholds, requests, k6 }, load) {
  const limits = thresholds
    .filter(({ metric, level, op }) => metric === 'http_req_duration' && level === 'fail' && op.startsWith('<'))
    .map(({ value }) => value / 1000);
  const limit_s = (limits.length ? Math.max(...limits) : usualLimit_s) * Math.max(1, requests?.length ?? 1);
  return Math.min(mostUsers, Math.max(k6.preAllocatedVUs ?? 1, Math.ceil(load * limit_s * 2)));
}

/**
 * Reads how a k6 process is told of a probe.
 * @param {string} text "250x5": the load, and seconds
 * @returns {Probe | null} null: it is not like that
 */
export function readProbe(text) {
  const [, load, seconds] = /^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  return load === undefined ? null : { load: Number(load), seconds: Number(seconds) };
}

/** The other way round. @param {Probe} probe */
export const showProbe = ({ load, seconds }) => `${load}x${seconds}`;
