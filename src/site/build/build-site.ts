import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError } from '../../base/io/files.js';
import { refuseUnknownFolder, replaceFolder } from '../../base/io/replace-folder.js';
import { findTool } from '../../base/tools/find-tool.js';
import { brandOf } from '../../suite/brand.js';
import { benchDir, isOurs, type Suite } from '../../suite/suite.js';
import { openDrawings } from '../charts/drawings.js';
import { requireVega } from '../charts/require-vega.js';
import { digestOf } from '../collect/cached.js';
import { collect } from '../collect/collect.js';
import type { SiteProblem } from '../collect/spec-problem.js';
import { addressOf } from '../model/address.js';
import { readChains } from '../model/chains.js';
import { compareVersions } from '../model/comparisons.js';
import { openLineChanges } from '../model/line-changes.js';
import { metricNames } from '../model/metric-names.js';
import { overviewOf } from '../model/site-model.js';
import { makePages } from '../pages/make-pages.js';
import { runHugo } from './hugo.js';
import { keyOf, openBefore } from './incremental.js';
import { foldersOf, refuseBundle, workFolder } from './site-folders.js';
import { layOut } from './write-input.js';

/** What a build did. records: shown; problems: left out. */
export type Built = {
  folder: string;
  records: number;
  pages: number;
  drawn: number;
  reused: number;
  problems: SiteProblem[];
};

/**
 * Builds the site of a suite, into public/ by default: from the kept records, the last run and the specs.
 * @param options url: where it will be published; [site] url otherwise
 * @throws {UserError} Hugo or Vega is missing, Hugo failed, or the folder holds something else; it is as it was
 */
export async function buildSite(
  suite: Suite,
  { url = null, folder = join(suite.root, 'public') }: { url?: string | null; folder?: string } = {},
): Promise<Built> {
  refuseUnknownFolder(folder);
  refuseBundle(suite);
  requireVega();
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
    const duets = found.duets.slice(-mostDuets(site.duets));
    const comparisons = await compareVersions(suite, { ...found, duets });
    const chains = await readChains(suite, found.duets);
    const names = metricNames;
    const changes = await openLineChanges(suite);
    const overview = overviewOf(found, comparisons, names, {
      title,
      url: address,
      duets,
      chains,
      judgeChanges: changes.judge,
    });
    const { made: pages, drawn, reused } = await drawings.drawFor((draw) => makePages(overview, draw));
    await changes.keep();
    const description = brand.description ?? pages[0].description;
    const before = await openBefore(folder, join(cache, 'public.json'));
    const live = await drawings.live();
    // Sorted, so that the key does not depend on the order in which pages ask for charts.
    const frame = await frameOf({ title, brand, description, url: address, live: [...live].sort(), siteFolders });
    const made = layOut(work, destination, pages, { live, site: address, before, frame });
    await runHugo({
      siteFolders,
      ours: isOurs(suite),
      prepared: work,
      pictures: drawings.folder,
      cache,
      title,
      description,
      brand,
      url: address,
      destination,
      pages: made,
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
 * So many duets have a page where [site] does not say.
 * @param duets of bench.toml
 */
const mostDuets = (duets: unknown) => (typeof duets === 'number' && duets >= 1 ? duets : 100);

/**
 * All that every page is made from beside its model: templates, styles, scripts, settings and Hugo.
 * @returns a digest
 */
async function frameOf({
  siteFolders,
  ...settings
}: { siteFolders: string[] } & Record<string, unknown>): Promise<string> {
  const files = await Promise.all(
    siteFolders.map(async (folder) =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort(),
    ),
  );
  const { version } = await findTool('hugo');
  return keyOf([JSON.stringify(settings), version, await digestOf(files.flat())].join('\n'));
}
