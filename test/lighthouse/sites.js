import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../support/cli.js';
import { build, built, builtFiles } from '../support/site/build.js';
import { duetOf, keepDuet } from '../support/site/kept-duets.js';
import { writeSyntheticSuite } from '../support/site/synthetic-records.js';

/** What there is to look at. The first three are what most people see first. */
const kinds = {
  home: /^index\.html$/,
  system: /^systems\/[^/]+\.html$/,
  record: /^versions\/.+\/.+\/.+\/.+\.html$/,
  version: /^versions\/[^/]+\.html$/,
  duet: /^duets\/[^/]+\.html$/,
  comparison: /^versions\/[^/]+\/compared\.html$/,
  calibration: /^systems\/[^/]+\/calibration\.html$/,
  changes: /^changes\.html$/,
  compare: /^compare\.html$/,
  method: /^method\.html$/,
};

/**
 * A made-up suite, which says where it is published.
 * @param {string} folder to be made
 * @param {string} url
 */
export async function buildSynthetic(folder, url) {
  writeSyntheticSuite(folder, { systems: 2, cases: 6, versions: 3 });
  for (const i of [0, 1, 2]) {
    const worse = { latency_ms_p50: i === 2 ? 1.3 : 1 };
    keepDuet(folder, `main-${i + 1}`, await duetOf(i, [{ system: 'alpha', name: 'hello,rate=1000', worse }]));
  }
  const file = join(folder, 'bench.toml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('[site]\n', `[site]\nurl = "${url}"\n`));
  await finished(folder);
}

/**
 * This repository's own site, from a copy: its public/ is somebody's to look at.
 * @param {string} folder to be made
 * @returns {Promise<boolean>} false: nothing was kept, so there is nothing to show
 */
export async function buildOwn(folder) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'bench.toml', 'specs', 'reports'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64e6 })
    .split('\0')
    .filter(Boolean);
  if (!listed.some((file) => file.startsWith('reports/versions/'))) return false;
  for (const file of listed.filter((name) => existsSync(join(root, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { verbatimSymlinks: true });
  }
  await finished(folder);
  return true;
}

/** @param {string} folder */
async function finished(folder) {
  const { code, err } = await build(folder);
  assert.equal(code, 0, err);
}

/**
 * The heaviest page of each kind.
 * @param {string} folder
 * @returns {{ kind: string, path: string }[]}
 */
export function pagesOf(folder) {
  const files = builtFiles(folder, '.html').map((path) => ({ path, bytes: gzipSync(built(folder, path)).length }));
  return Object.entries(kinds).flatMap(([kind, pattern]) => {
    const [heaviest] = files.filter(({ path }) => pattern.test(path)).sort((a, b) => b.bytes - a.bytes);
    return heaviest ? [{ kind, path: heaviest.path }] : [];
  });
}
