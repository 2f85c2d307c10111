import { Counter, Gauge } from 'k6/metrics';
import { driverMetrics } from '../../src/spec/tables.js';

// k6 counts what it is given: nothing is added until something goes wrong, so that a good request costs nothing here.
// Each carries the user's tags of that moment, name and phase among them.

export const networkErrors = new Counter(driverMetrics.network_errors.name);
export const statusErrors = new Counter(driverMetrics.status_errors.name);
export const failedExpectations = new Counter(driverMetrics.failed_expectations.name);
export const exceptions = new Counter(driverMetrics.exceptions.name);
export const abandoned = new Counter(driverMetrics.abandoned.name);

export const begunAfter = new Counter(driverMetrics.begun_after.name);

export const started = new Gauge(driverMetrics.started.name);
export const ended = new Gauge(driverMetrics.ended.name);

/** @type {Set<string>} */
const logged = new Set();

/** How lines in k6's log begin: in a duet, with the side whose turn it is. */
let speaker = 'benchfolio';

/** @param {string} side */
export const logFor = (side) => {
  speaker = `benchfolio[${side}]`;
};

/** @param {string} kind @returns {boolean} whether it has not been told by this user: the thousandth would tell no more, and fill the disk */
function isNew(kind) {
  const of = `${speaker}: ${kind}`;
  const is = !logged.has(of);
  logged.add(of);
  return is;
}

/**
 * Logs the first failure of its kind in each user; src/generator/request-failures.js reads it.
 * @param {string} kind
 * @param {string} text
 */
export function warnOnce(kind, text) {
  if (isNew(kind)) console.warn(`${speaker}: ${kind}: ${text}`);
}

/**
 * The same for what is no failure.
 * @param {string} kind
 * @param {string} text
 */
export function infoOnce(kind, text) {
  if (isNew(kind)) console.info(`${speaker}: ${kind}: ${text}`);
}
