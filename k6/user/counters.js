import { Counter, Gauge } from 'k6/metrics';

// k6 counts what it is given: nothing is added until something goes wrong, so that a good request costs nothing here.
// Each carries the user's tags of that moment, name and phase among them.

/** Requests that got no response. */
export const networkErrors = new Counter('bench_network_errors');
/** Responses with a status that was not expected. */
export const statusErrors = new Counter('bench_status_errors');
/** Responses with an expected status, and not the expected headers, body or values. */
export const failedExpectations = new Counter('bench_failed_expectations');
/** Iterations that threw. */
export const exceptions = new Counter('bench_exceptions');
/** Iterations that ended early because of an error. */
export const abandoned = new Counter('bench_abandoned');

/** Iterations that began after the window: so many of those that were cut off at the end do not matter. */
export const begunAfter = new Counter('bench_begun_after');

/** When the scenario started, in epoch milliseconds; each user adds it once. */
export const started = new Gauge('bench_started');
/** When an iteration ended; its maximum is the end of a scenario that ends when its iterations are done. */
export const ended = new Gauge('bench_ended');

/** @type {Set<string>} */
const told = new Set();

/** How lines in k6's log begin: in a duet, with the side whose turn it is. */
let speaker = 'benchfolio';

/** @param {string} side */
export const tellOf = (side) => {
  speaker = `benchfolio[${side}]`;
};

/** @param {string} kind @returns {boolean} whether it has not been told by this user: the thousandth would tell no more, and fill the disk */
function isNew(kind) {
  const of = `${speaker}: ${kind}`;
  const is = !told.has(of);
  told.add(of);
  return is;
}

/**
 * Logs the first failure of its kind in each user; src/generator/request-failures.js reads it.
 * @param {string} kind
 * @param {string} text
 */
export function tellOnce(kind, text) {
  if (isNew(kind)) console.warn(`${speaker}: ${kind}: ${text}`);
}

/**
 * The same for what is no failure.
 * @param {string} kind
 * @param {string} text
 */
export function noteOnce(kind, text) {
  if (isNew(kind)) console.info(`${speaker}: ${kind}: ${text}`);
}
