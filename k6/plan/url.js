import { encodeLiterals } from '../shared/placeholders.js';

/**
 * Path and query as one text; placeholders stay, and are encoded where they are filled in.
 * @param {string} path or an absolute URL
 * @param {Record<string, any>} query a list makes a key appear more than once
 * @returns {string}
 */
export function planUrl(path, query) {
  const encode = encodeURIComponent;
  const pairs = pairsOf(query).map(([key, value]) => `${encode(key)}=${encodeLiterals(value, encode)}`);
  const [address] = path.split('#');
  if (!pairs.length) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/**
 * A table of values as pairs, in the order they are written.
 * @param {Record<string, any>} table
 * @returns {[string, string][]}
 */
export const pairsOf = (table) =>
  Object.entries(table).flatMap(([key, value]) =>
    [value].flat().map((item) => /** @type {[string, string]} */ ([key, String(item)])),
  );
