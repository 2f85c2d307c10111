import { UserError } from '../../base/errors.js';

/**
 * Where the site will be published, as it stands before the addresses of its pages.
 * @throws {UserError} it is not the address of a folder on a web server
 */
export function addressOf(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const usable = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (usable) return url.href.replace(/\/*$/, '/');
  throw new UserError(`${JSON.stringify(text)} cannot be where the pages will be`, {
    hint: 'Write it like https://example.com/bench/, without a name, a query or a #.',
  });
}

/**
 * @param site where it is published
 * @param path from its root
 */
export const absoluteUrl = (site: string, path: string): string =>
  new URL(path.split('/').map(encodeURIComponent).join('/'), `${site.replace(/\/+$/, '')}/`).href;
