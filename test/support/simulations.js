import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseTable } from '../../dist/suite/cases/tables.js';
import { root } from './cli.js';
import { sourceOf } from './source-of.js';

/** How each simulation ended that was run in full, and of which sources. A path from the root. */
export const resultsFile = 'test/reports/simulated.json';

/** The files of tests that draw what they judge, by a seed. */
export const simulations = readdirSync(join(root, 'test', 'reports'))
  .filter((name) => name.endsWith('-simulation.test.js'))
  .sort()
  .map((name) => `test/reports/${name}`);

/**
 * What a simulation found; sources: their hash, passed: its tests.
 * @typedef {{ sources: string, passed: string[] }} Simulated
 */

/** @returns {Record<string, Simulated>} by their files; none where nothing was kept */
export const readResults = () =>
  existsSync(join(root, resultsFile)) ? JSON.parse(readFileSync(join(root, resultsFile), 'utf8')) : {};

/** It looks for an interpreter. What that takes from elsewhere decides nothing; the version that we build does. */
const finder = 'test/support/engines.js';
const version = 'src/base/tools/gojq/go.mod';

/** @param {string} file @returns {string[]} the modules of JavaScript and jq and the tables that it names */
function namedIn(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const all = (/** @type {RegExp} */ pattern) => [...text.matchAll(pattern)].map(([, name]) => name);
  return [
    ...all(/'(\.{1,2}\/[^'\s]+\.js)'/g).map((path) => sourceOf(normalize(join(dirname(file), path)))),
    ...all(/\bimport "([^"$]+)" as/g).map((path) => `reports/${path}.jq`),
    ...all(/\btableOf\('(\w+)'\)/g).map((name) => `reports/lib/tables/${name}.jq`),
  ];
}

/** @param {string} file of a simulation @returns {string[]} all files that its outcome depends on, from the root */
export function sourcesOf(file) {
  const found = new Set([file, version]);
  for (const one of found) if (one !== finder && one !== version) for (const name of namedIn(one)) found.add(name);
  return [...found].sort();
}

/** Many limits are of no concern to a simulation: of this table those count that another of its sources names. */
export const limitsFile = 'reports/lib/tables/limits.jq';

/** @param {string} text of the table @param {string} others the texts of the other sources @returns {string} */
function limitsNamedIn(text, others) {
  const words = new Set(others.match(/\w+/g));
  return JSON.stringify(Object.entries(parseTable(text)).filter(([name]) => words.has(name)));
}

/** @param {string} file of a simulation @returns {string} the hash of its sources */
export function hashOf(file) {
  const texts = new Map(sourcesOf(file).map((source) => [source, readFileSync(join(root, source), 'utf8')]));
  const limits = texts.get(limitsFile);
  texts.delete(limitsFile);
  if (limits !== undefined) texts.set(limitsFile, limitsNamedIn(limits, [...texts.values()].join('\n')));
  const hash = createHash('sha256');
  for (const [source, text] of texts) hash.update(`${source} ${text.length}\n${text}`);
  return hash.digest('hex');
}
