import { originOf, originsOf } from '../../dist/suite/cases/origin.js';
import { encodePath } from '../shared/encode.js';
import { compilePlaceholder, joined, partsOf } from '../shared/placeholders.js';

/** @import { IterationValues, Text } from '../shared/placeholders.js' */

/**
 * @typedef {{ baseUrl: string, hosts: readonly string[] }} UrlTarget
 */

const absolute = /^https?:\/\//i;

/**
 * Compiles an address with placeholders: those before the first written "?" are filled in as parts of a path, those
 * after it as parts of a query.
 * @param {string} url absolute, or a path
 * @param {UrlTarget} target its baseUrl goes in front of a path, also of one that comes from a row or was captured
 * @param {IterationValues} values
 * @returns {Text} throws an UnsentError when it leads to a host that the spec does not name
 */
export function compileUrl(url, target, values) {
  const base = target.baseUrl;
  let inQuery = false;
  const parts = partsOf(url).map((part) => {
    if (typeof part !== 'string') return compilePlaceholder(part, values, inQuery ? encodeURIComponent : encodePath);
    inQuery ||= part.includes('?');
    return part;
  });
  const text = joined(parts);
  if (typeof text === 'string') return withBase(text, target);
  if (typeof parts[0] === 'string' && !absolute.test(parts[0])) return joined([base, text]);
  return () => withBase(text(), target);
}

/** @param {string} address @param {UrlTarget} target */
function withBase(address, target) {
  if (absolute.test(address)) return allowed(address, target);
  return address.startsWith('/') ? target.baseUrl + address : `${target.baseUrl}/${address}`;
}

/** @param {string} address @param {UrlTarget} target */
function allowed(address, target) {
  const origin = originOf(address);
  if (origin !== null && originsOf(target).includes(origin)) return address;
  const where = origin === null ? 'what is not a valid http(s) URL' : `${origin}, which the spec does not name`;
  throw Object.assign(new Error(`the request leads to ${where}: add it to the environment's \`hosts\``), {
    name: 'UnsentError',
  });
}
