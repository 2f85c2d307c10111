import { Rate } from 'k6/metrics';
import { compileTemplate } from '../shared/placeholders.js';
import { refuse } from '../shared/refuse.js';
import { compileUrl } from './url.js';

/** @import { IterationValues } from '../shared/placeholders.js' */
/** @import { UrlTarget } from './url.js' */

// What calls of gRPC and sessions of WebSockets share.

/** k6's own, which it gives no values for them: with it the cap on errors holds in plain k6 too. */
const failed = new Rate('http_req_failed');

/**
 * Counts what is sent, and how much of it fails: those count too that never get a connection.
 * @template {{ status: number }} Response
 * @param {number[] | null} statuses expected
 * @param {() => Response} perform
 * @returns {() => Response}
 */
export const counted = (statuses, perform) => () => {
  let good = false;
  try {
    const response = perform();
    good = statuses?.includes(response.status) ?? true;
    return response;
  } finally {
    failed.add(!good);
  }
};

/** As k6 says that a request has no answer. @param {string} message */
export const noAnswer = (message) => Object.assign(new Error(message), { name: 'GoError' });

/**
 * @param {Record<string, string>} headers with placeholders
 * @param {IterationValues} values
 * @returns {() => Record<string, string>} filled in
 */
export function compileHeaders(headers, values) {
  const all = Object.entries(headers).map(([name, text]) => ({ name, text: compileTemplate(text, values) }));
  return () => Object.fromEntries(all.map(({ name, text }) => [name, typeof text === 'string' ? text : text()]));
}

/**
 * Where a call or a session goes, which stays the same: a connection is of one address.
 * @param {string} url absolute, or a path
 * @param {UrlTarget} target
 * @param {IterationValues} values
 * @returns {{ origin: string, path: string, address: string, isSecure: boolean }} address: host and port
 */
export function addressOf(url, target, values) {
  const text = compileUrl(url, target, values);
  if (typeof text !== 'string')
    return refuse(`"${url}" would lead elsewhere each time: a connection is of one address`);
  const [, origin, scheme, address, path] = /^((https?):\/\/([^/?#]+))(.*)$/is.exec(text) ?? [];
  return { origin, path, address, isSecure: scheme.toLowerCase() === 'https' };
}
