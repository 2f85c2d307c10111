import { encodePath } from './encode.js';
import { compilePlaceholder, joined, partsOf } from './placeholders.js';

/** @import { Text, Values } from './placeholders.js' */

const absolute = /^https?:\/\//;

/**
 * Compiles an address with placeholders: those before the first written "?" are filled in as parts of a path, those
 * after it as parts of a query.
 * @param {string} url absolute, or a path
 * @param {string} base goes in front of a path, also of one that comes from a row or was captured
 * @param {Values} values
 * @returns {Text}
 */
export function compileUrl(url, base, values) {
  let inQuery = false;
  const parts = partsOf(url).map((part) => {
    if (typeof part !== 'string') return compilePlaceholder(part, values, inQuery ? encodeURIComponent : encodePath);
    inQuery ||= part.includes('?');
    return part;
  });
  const text = joined(parts);
  if (typeof text === 'string') return withBase(text, base);
  if (typeof parts[0] === 'string') return absolute.test(parts[0]) ? text : joined([base, text]);
  return () => withBase(text(), base);
}

/** @param {string} address @param {string} base */
function withBase(address, base) {
  if (absolute.test(address)) return address;
  return address.startsWith('/') ? base + address : `${base}/${address}`;
}
