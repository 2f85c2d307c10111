import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { duetText } from '../../../dist/records/duets.js';
import { comparisonOf } from '../comparisons.js';

/** The i-th commit of a made-up history. @param {number} i @returns {string} */
export const commit = (i) => i.toString(16).padStart(7, 'c').padEnd(40, '0');
const day = (/** @type {number} */ i) => String(i + 1).padStart(2, '0');

/**
 * A duet of a commit against the one before.
 * @param {number} i
 * @param {Parameters<typeof comparisonOf>[0]} cases
 * @param {string} [text] in the name of its base
 */
export const duetOf = (i, cases, text = '<b>') =>
  comparisonOf(cases, {
    id: `202602${day(i)}T101500Z-1`,
    time: `2026-02-${day(i)}T10:15:00.000Z`,
    baseline: `main~1 ${text} (${commit(i).slice(0, 10)})`,
    head: `main (${commit(i + 1).slice(0, 10)})`,
    commits: { base: commit(i), head: commit(i + 1) },
  });

/** @param {string} folder of a suite @param {string} name @param {any} comparison */
export function keepDuet(folder, name, comparison) {
  const duet = join(folder, 'reports', 'duets', name);
  mkdirSync(duet, { recursive: true });
  writeFileSync(join(duet, 'comparison.json'), duetText(comparison));
}
