import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { brandOf } from '../brand.js';
import { UserError } from '../errors.js';
import { fileError } from '../run/files.js';
import { benchDir } from '../suite.js';
import { findTool, packageRoot } from '../tools.js';
import { keyOf, openBefore } from './as-before.js';
import { openDrawings } from './charts/drawings.js';
import { digestOf } from './collect/cached.js';
import { collect } from './collect/index.js';
import { runHugo } from './hugo.js';
import { layOut } from './lay-out.js';
import { makePages } from './pages/index.js';
import { readMetricNames } from './pages/metrics.js';
import { overviewOf } from './pages/overview.js';
import { refuseStrange, replaceFolder } from './replace.js';

/**
 * What a build did. records: shown; problems: left out.
 * @typedef {{ folder: string, records: number, pages: number, drawn: number, reused: number,
 *   problems: import('./collect/problem.js').Problem[] }} Built
 */

/**
 * Builds the site of a suite, into public/ by default: from the kept records, the last run and the specs.
 * @param {import('../suite.js').Suite} suite
 * @param {{ url?: string | null, folder?: string }} [options] url: where it will be published; [site] url otherwise
 * @returns {Promise<Built>}
 * @throws {import('../errors.js').UserError} Hugo is missing or failed, or the folder holds something else; it is as it was
 */
export async function buildSite(suite, { url = null, folder = join(suite.root, 'public') } = {}) {
  refuseStrange(folder);
  refuseBundle(suite);
  const { site = {} } = suite.bench;
  const brand = brandOf(suite);
  const title = String(site.title ?? 'Benchmarks');
  const address = addressOf(url ?? site.url ?? null);
  const cache = join(benchDir(suite), 'cache');
  const siteFolders = foldersOf(suite);
  const work = await workFolder(join(benchDir(suite), 'site'));
  const destination = join(work, 'public');
  try {
    const found = await collect(suite);
    const drawings = await openDrawings(cache, siteFolders);
    const overview = overviewOf(found, readMetricNames(siteFolders), { title, url: address });
    const pages = await makePages(overview, drawings.draw);
    const description = brand.description ?? pages[0].description;
    const { drawn, reused } = await drawings.finish();
    const before = await openBefore(folder, join(cache, 'public.json'));
    const live = await drawings.live();
    const frame = await frameOf({ title, brand, description, url: address, live: [...live], siteFolders });
    const made = layOut(work, destination, pages, { live, site: address, before, frame });
    await runHugo({
      siteFolders, prepared: work, pictures: drawings.folder, cache, title, description, brand,
      url: address, destination, pages: made,
    });
    await replaceFolder(folder, destination).catch((error) => {
      throw fileError(error, folder);
    });
    await before.keep();
    const problems = [...found.problems, ...pages.flatMap((page) => page.problems ?? [])];
    return { folder, records: found.entries.length, pages: pages.length, drawn, reused, problems };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Where templates, styles, charts and written pages come from: a suite's site/ shadows ours.
 * @param {import('../suite.js').Suite} suite
 * @returns {string[]}
 */
export function foldersOf({ root }) {
  const [theirs, ours] = [join(root, 'site'), join(packageRoot, 'site')];
  return theirs !== ours && statSync(theirs, { throwIfNoEntry: false })?.isDirectory() ? [theirs, ours] : [ours];
}

/**
 * To Hugo a folder with an index.md is one page, and what lies beside it are its parts: all other pages would be gone.
 * @param {import('../suite.js').Suite} suite
 * @throws {UserError}
 */
function refuseBundle({ root }) {
  const file = join(root, 'site', 'content', 'index.md');
  if (!existsSync(file)) return;
  throw new UserError(`${file} would take the place of every page`, { hint: 'Call it _index.md: then its text stands on the first page.' });
}

/**
 * Where the site will be published, as it stands before the addresses of its pages.
 * @param {string | null} text
 * @returns {string | null}
 * @throws {UserError} it is not the address of a folder on a web server
 */
function addressOf(text) {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const usable = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (usable) return url.href.replace(/\/*$/, '/');
  throw new UserError(`${JSON.stringify(text)} cannot be where the pages will be`, {
    hint: 'Write it like https://example.com/bench/, without a name, a query or a #.',
  });
}

/**
 * All that every page is made from beside its model: templates, styles, scripts, settings and Hugo.
 * @param {{ siteFolders: string[] } & Record<string, unknown>} settings
 * @returns {Promise<string>} a digest
 */
async function frameOf({ siteFolders, ...settings }) {
  const files = await Promise.all(siteFolders.map(async (folder) => (
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)).sort())));
  const { version } = await findTool('hugo');
  return keyOf([JSON.stringify(settings), version, await digestOf(files.flat())].join('\n'));
}

/**
 * A folder for this build alone; what builds that were killed left behind goes.
 * @param {string} parent
 */
async function workFolder(parent) {
  await mkdir(parent, { recursive: true });
  for (const left of await readdir(parent)) {
    if (!isRunning(Number(left))) await rm(join(parent, left), { recursive: true, force: true });
  }
  const folder = join(parent, String(process.pid));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  return folder;
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
