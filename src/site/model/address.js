import { UserError } from '../../base/errors.js';

/**
 * Where the site will be published, as it stands before the addresses of its pages.
 * @param {string | null} text
 * @returns {string | null}
 * @throws {UserError} it is not the address of a folder on a web server
 */
export function addressOf(text) {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const usable = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (usable) return url.href.replace(/\/*$/, '/');
  throw new UserError(`${JSON.stringify(text)} cannot be where the pages will be`, {
    hint: 'Write it like https://example.com/bench/, without a name, a query or a #.',
  });
}

/**
 * @param {string} site where it is published
 * @param {string} path from its root
 * @returns {string}
 */
export const absoluteUrl = (site, path) =>
  new URL(path.split('/').map(encodeURIComponent).join('/'), `${site.replace(/\/+$/, '')}/`).href;
