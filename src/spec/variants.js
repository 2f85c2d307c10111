import { parseDuration } from './durations.js';

/**
 * A case as it is measured, where that is not as its spec says: all that changes one stands here, and what measures it, or
 * reads what was measured, takes it as it is.
 *
 * @import { Case } from './expand.js'
 */

/**
 * Makes a case last as long as is said, and measures it to its end: k6's option, the seconds and the window say the same.
 * @param {Case} benchCase
 * @param {number} duration_s
 * @returns {Case}
 */
const lasting = (benchCase, duration_s) => ({
  ...benchCase,
  k6: { ...benchCase.k6, duration: `${duration_s}s` },
  window: { ...benchCase.window, to_s: duration_s },
  duration_s,
});

/**
 * A case of constant load cut into consecutive k6 processes that share its window, so that none outgrows the memory: each
 * warms up, and then measures its share of the window. They begin at different places of shared rows.
 * @param {Case} benchCase
 * @param {number} parts
 * @returns {Case} as each of them measures it
 */
export function inParts(benchCase, parts) {
  if (parts === 1) return benchCase;
  const { from_s, to_s } = benchCase.window;
  return { ...lasting(benchCase, from_s + (Number(to_s) - from_s) / parts), parts };
}

/**
 * A case as the solo lane of a duet measures it: one user sends what the scenario sends, one after the other and
 * without pauses. With several users who wait for their answers on shared cores, the slower side gathers a queue and
 * its difference is amplified; with one, a time is the time of one request.
 * @param {Case} benchCase
 * @param {{ warmup_s: number, seconds: number }} block
 * @returns {Case}
 */
export function soloCase(benchCase, { warmup_s, seconds }) {
  const alone = {
    ...benchCase,
    k6: { executor: 'constant-vus', vus: 1 },
    window: { from_s: warmup_s, to_s: null },
    requests: benchCase.requests?.map((request) => ({ ...request, think: null })) ?? null,
    // Of the solo lane, not of the scenario's load, for which they are meant.
    thresholds: [],
    faults: [],
    queries: [],
    per_user: false,
    instances: 1,
    prometheus: null,
    saturation: /** @type {const} */ ('error'),
  };
  return lasting(alone, warmup_s + seconds);
}

/** What of a scenario is its load, by executor. @type {Record<string, 'rate' | 'vus'>} */
export const loadParameters = { 'constant-arrival-rate': 'rate', 'constant-vus': 'vus' };

/**
 * The load of a case, as it is.
 * @param {Case} benchCase
 * @returns {number} iterations a second, or users
 */
export const loadNow = ({ k6 }) =>
  k6.executor === 'constant-vus'
    ? (k6.vus ?? 1)
    : k6.rate / (k6.timeUnit === undefined ? 1 : parseDuration(k6.timeUnit));

/** More users need memory, and k6 is slow with them. */
const mostUsers = 5000;

/** What a request may take when no threshold says. */
const usualLimit_s = 1;

/**
 * A case under another load than the spec's, for a time of its own. An open load gets users for twice the time that its
 * thresholds allow a request: where these are not enough, the thresholds are missed, or would be.
 * @param {Case} benchCase
 * @param {{ load: number, seconds: number }} probe load: iterations a second, or users; seconds: measured, after the time
 *   that the spec takes to get warm
 * @returns {Case}
 */
export function underLoad(benchCase, { load, seconds }) {
  const timed = lasting({ ...benchCase, saturation: 'error', faults: [] }, benchCase.window.from_s + seconds);
  const { maxVUs, timeUnit, ...k6 } = timed.k6;
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

/** @param {Case} benchCase @param {number} load */
function usersFor({ thresholds, requests, k6 }, load) {
  const limits = thresholds
    .filter(({ metric, level, op }) => metric === 'http_req_duration' && level === 'fail' && op.startsWith('<'))
    .map(({ value }) => value / 1000);
  const limit_s = (limits.length ? Math.max(...limits) : usualLimit_s) * Math.max(1, requests?.length ?? 1);
  return Math.min(mostUsers, Math.max(k6.preAllocatedVUs ?? 1, Math.ceil(load * limit_s * 2)));
}
