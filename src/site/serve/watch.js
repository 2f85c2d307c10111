import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { benchDir, systemNames } from '../../suite/suite.js';
import { foldersOf } from '../build/site-folders.js';

/** @import { Suite } from '../../suite/suite.js' */

/**
 * What a site is made from, as one text that differs when something was changed. Looking is cheaper than being notified:
 * spec folders hold node_modules, and records are only ever added, which shows in their folders.
 * @param {Suite} suite
 * @returns {string}
 */
export function stateOf(suite) {
  // A spec, and the files beside it, which it may attach.
  const specs = systemNames(suite)
    .map((name) => join(suite.root, 'specs', name))
    .flatMap((folder) => [...under(folder, 1, true), ...under(join(folder, 'charts'), 1, true)]);
  const outcomes = under(join(benchDir(suite), 'runs'), 2, true); // of duets, which are never "latest"
  const { logo = 'bench.toml' } = suite.bench.site ?? {};
  const alone = [join(benchDir(suite), 'latest'), join(suite.root, 'specs'), join(suite.root, String(logo))].map(
    changed,
  );
  const records = [
    ...under(join(suite.root, 'reports', 'versions'), 3, false),
    ...under(join(suite.root, 'reports', 'duets'), 1, false),
  ];
  const templates = foldersOf(suite).flatMap((folder) => under(folder, 5, true));
  return [...alone, ...outcomes, ...specs, ...records, ...templates].join('\n');
}

/**
 * @param {string} folder
 * @param {number} depth
 * @param {boolean} files whether to look at files too
 * @returns {string[]}
 */
function under(folder, depth, files) {
  const own = changed(folder);
  if (depth === 0 || !own) return [own];
  return [
    own,
    ...readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? under(path, depth - 1, files) : files ? [changed(path)] : [];
    }),
  ];
}

/** @param {string} path */
function changed(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${path} ${found.mtimeMs} ${found.size}` : '';
}
