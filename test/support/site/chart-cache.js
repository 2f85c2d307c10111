import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../cli.js';

/** What a picture is made by, beside its spec and data, which its name has. */
const drawers = ['package-lock.json', ...filesIn('src/site/charts'), 'site/assets/js/rows.js'];

/** Where drawings of this code lie, for all tests: below .bench/, which `make clean` removes. */
const shared = join(root, '.bench', 'test-charts', digestOf(drawers));

/**
 * Lets a suite take its charts from those that any test has drawn, and add its own to them: a drawing has the name of what
 * it was made from.
 * @param {string} suite its folder
 */
export function shareCharts(suite) {
  mkdirSync(join(suite, '.bench', 'cache'), { recursive: true });
  for (const part of ['charts', 'vega']) {
    mkdirSync(join(shared, part), { recursive: true });
    symlinkSync(join(shared, part), join(suite, '.bench', 'cache', part));
  }
}

/** @param {string} folder @returns {string[]} from the root */
function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

/** @param {string[]} files from the root */
function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}
