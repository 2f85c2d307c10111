// How long `benchfolio site` takes with 1,000 synthetic records (5 systems, 10 cases, 20 versions): the first time,
// when nothing has changed, and after one new record; and at 4,000 whether a record costs the same.
//   node test/bench/site.bench.js [versions…]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/cli.js';
import { recordsOf, writeKept, writeSyntheticSuite } from '../support/site/synthetic-records.js';
import { size } from './short.js';

/** @param {string} cwd @returns {number} seconds */
function build(cwd) {
  const started = performance.now();
  const command = [join(root, 'dist', 'cli', 'bin.js'), 'site'];
  const { status, stderr } = spawnSync(process.execPath, command, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`site ended with ${status}: ${stderr}`);
  return (performance.now() - started) / 1000;
}

/** @param {string} folder @returns {number} */
const bytesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

const seconds = (/** @type {number} */ time) => `${time.toFixed(1)} s`;
const asked = process.argv.slice(2).map(Number);
/** @type {number[]} */
const each = [];
for (const versions of asked.length ? asked : size([20, 80], [1])) {
  const folder = mkdtempSync(join(tmpdir(), 'benchfolio-'));
  writeSyntheticSuite(folder, { systems: 5, cases: 10, versions, oldest: -versions, fresh: false });
  const records = 50 * versions;
  const first = build(folder);
  const again = build(folder);
  writeKept(folder, recordsOf(['alpha'], 1, 'v2.0', 0)[0]);
  const oneMore = build(folder);
  each.push(first / records);
  const size = (bytesIn(join(folder, 'public')) / records / 1000).toFixed(0);
  console.log(
    `site, ${records} records: ${seconds(first)} the first time, ${seconds(again)} unchanged, ${seconds(
      oneMore,
    )} after one new record; ${size} kB built a record`,
  );
  rmSync(folder, { recursive: true });
}
console.log('(aims at 1,000: 30 s the first time, 5 s after one new record, 120 kB)');
if (each.length > 1) {
  const times = (each[1] / each[0]).toFixed(2);
  console.log(`site, time a record: ${times} times that of the smaller suite (aim: at most 1.3)`);
}
