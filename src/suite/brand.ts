import { extname } from 'node:path';
import { UserError } from '../base/errors.js';
import { readInside } from '../base/io/file-inside.js';
import type { Suite } from './suite.js';

/**
 * What a suite puts into the header of its pages.
 * inside: the url is a path from the site's root, without the slash
 */
type Link = { title: string; url: string; inside: boolean };

/** name: of a copy of it */
type Logo = { name: string; data: Buffer };

export type Brand = { logo: Logo | null; links: Link[]; description: string | null };

/** It comes with every page: a logo of a few lines is a few kB. */
const mostBytes = 50_000;

/** Where a link may lead: an address, a mailbox, or a place in the site or beside it. Not what a browser would run. */
export const linkPattern = /^(https?:\/\/[^\s/]+\S*|mailto:\S+|(?![A-Za-z][A-Za-z0-9+.-]*:|\/\/|\\)[^\s\\]+)$/i;

/**
 * @param root of the suite
 * @param file relative to it
 */
export function readLogo(root: string, file: string): Logo | { problem: string; hint: string } {
  const no = (problem: string, hint: string) => ({ problem, hint });
  const read = readInside(root, file, mostBytes);
  if (read === 'missing') return no(`there is no logo ${file}`, 'It is looked for in the folder of bench.toml.');
  if (read === 'outside') return no(`the logo ${file} is not in the suite`, 'Put it there, or a copy of it.');
  const { data, bytes } = read;
  if (bytes > mostBytes)
    return no(`the logo ${file} has ${bytes} bytes, and may have ${mostBytes}`, 'It comes with every page.');
  const kind = extname(file).toLowerCase();
  const isPicture =
    kind === '.svg'
      ? /<svg[\s>]/.test(data.toString('utf8'))
      : kind === '.png' && data.subarray(1, 4).toString('latin1') === 'PNG';
  return isPicture
    ? { name: `logo${kind}`, data }
    : no(`the logo ${file} is neither SVG nor PNG`, 'Its ending says which it is: .svg or .png.');
}

/** @throws {UserError} the logo cannot be shown, or a link is not an address */
export function brandOf({ root, bench }: Suite): Brand {
  const { logo, links = [], description = null } = bench.site ?? {};
  const read = logo === undefined ? null : readLogo(root, String(logo));
  if (read && 'problem' in read) throw new UserError(`bench.toml: ${read.problem}`, { hint: read.hint });
  const all = [links].flat().map(({ title, url }: { title?: unknown; url?: unknown }) => ({
    title: String(title ?? ''),
    url: String(url ?? ''),
  }));
  const odd = all.find(({ title, url }) => !title || !linkPattern.test(url));
  if (odd) {
    throw new UserError(`bench.toml: ${JSON.stringify(odd.url)} cannot be a link in the header`, {
      hint: 'links = [{ title = "…", url = "…" }]: an http(s) or mailto URL, or a path within the site.',
    });
  }
  return { logo: read, links: all.map(linkOf), description: description === null ? null : String(description) };
}

function linkOf({ title, url }: { title: string; url: string }): Link {
  const inside = !/^(https?|mailto):/i.test(url);
  return { title, inside, url: inside ? url.replace(/^(\.?\/)+/, '') : url };
}
