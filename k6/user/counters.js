import { Counter, Gauge } from 'k6/metrics';
import { driverMetrics } from '../../dist/suite/cases/tables.js';

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

/**
 * @param {string} kind @returns {boolean} whether this user has not reported it yet: the thousandth would say no more, and fill
 * the disk
 */
function isNew(kind) {
  const of = `${speaker}: ${kind}`;
  const is = !logged.has(of);
  logged.add(of);
  return is;
}

/** @type {(kind: string, text: string) => void} */
let hear = () => {};

/**
 * Before the load, each failure is heard of.
 * @param {(kind: string, text: string) => void} listener
 */
export const hearFailures = (listener) => {
  hear = listener;
};

/**
 * Logs the first failure of its kind in each user; src/run/generator/request-failures.ts reads it.
 * @param {string} kind
 * @param {string} text
 */
export function warnOnce(kind, text) {
  hear(kind, text);
  if (isNew(kind)) console.warn(`${speaker}: ${kind}: ${text}`);
}

/**
 * The same for what is not a failure.
 * @param {string} kind
 * @param {string} text
 */
export function infoOnce(kind, text) {
  if (isNew(kind)) console.info(`${speaker}: ${kind}: ${text}`);
}

/**
 * Logs what came back: [request, status, bytes or null, media type, 1 if it was redirected, hash of the body or null, its fields or
 * null, [protocol, version of TLS or ""] or null]; src/run/generator/answers.ts reads it.
 * @param {(string | number | null | Record<string, string> | string[])[]} answer
 */
export const tellAnswer = (answer) => console.info(`${speaker}: answer: ${JSON.stringify(answer)}`);
