import { refuse } from '../shared/refuse.js';
import { compileUrl } from './url.js';

/**
 * Where a call or a session goes, which stays the same: a connection is of one address.
 * @param {string} url absolute, or a path
 * @param {import('./url.js').UrlTarget} target
 * @param {import('../shared/placeholders.js').IterationValues} values
 * @returns {{ origin: string, path: string, address: string, isSecure: boolean }} address: host and port
 */
export function addressOf(url, target, values) {
  const text = compileUrl(url, target, values);
  if (typeof text !== 'string')
    return refuse(`"${url}" would lead elsewhere each time: a connection is of one address`);
  const [, origin, scheme, address, path] = /^((https?):\/\/([^/?#]+))(.*)$/is.exec(text) ?? [];
  return { origin, path, address, isSecure: scheme.toLowerCase() === 'https' };
}
