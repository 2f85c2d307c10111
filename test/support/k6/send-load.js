// Sends a load of one request.
import { drive, scenario } from './drive.js';

/** @import { Drive, Driven } from './drive.js' */
/** @import { Target } from './target.js' */

/** The request. */
export const get = '[[scenarios.s.requests]]\nget = "/"\n';
/** Sends it to a target, by an executor and its options. */
export const send = (
  /** @type {Target} */ target,
  /** @type {string} */ load,
  /** @type {Partial<Drive>} */ more = {},
) => drive({ spec: scenario(get, load), ...more, env: { BASE_URL: target.url, ...more.env } });
/** When the load began. @param {Driven} driven @returns {number} epoch milliseconds */
export const startOf = ({ metrics }) => metrics.bench_started.values.min;
