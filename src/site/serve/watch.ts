import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { benchDir, type Suite, systemNames } from '../../suite/suite.js';
import { foldersOf } from '../build/site-folders.js';

/**
 * The sources of a site, as one text that differs when something was changed. Looking is cheaper than being notified:
 * spec folders hold node_modules, and records are only ever added, which shows in their folders.
 */
export function stateOf(suite: Suite): string {
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

/** @param files whether to look at files too */
function under(folder: string, depth: number, files: boolean): string[] {
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

function changed(path: string) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${path} ${found.mtimeMs} ${found.size}` : '';
}
