import { formatNumber } from '../format.js';
import { valuesText } from '../pages/series.js';
import { allRounded } from './chart.js';

/**
 * The latencies of a record as the charts draw them.
 * @typedef {import('../collect/record.js').Entry} Entry
 * @typedef {import('../collect/record.js').Distribution} Distribution
 * @typedef {{ p: number[], latency: (number | null)[] }} Quantiles
 */

/** The percentiles that a table beside a chart names. */
export const shownPercentiles = [50, 75, 90, 95, 99, 99.9, 99.99];

/** @param {Entry} entry */
export const hasLatencies = ({ record }) => Boolean(record.distribution?.count);

/**
 * As far out as there are requests to tell: the p-th percentile needs one beyond it. Zero has no place on a log scale.
 * @param {Entry} entry
 * @returns {Quantiles}
 */
export function quantilesOf({ record }) {
  const { p, values, count } = /** @type {Distribution} */ (record.distribution);
  const beyond = (/** @type {number} */ i) => count * (1 - p[i] / 100) + 1e-9; // 1 - 0.999 is less than a thousandth
  const told = [...p.keys()].filter((i) => p[i] < 100 && beyond(i) >= 1 && values[i] > 0);
  return { p: told.map((i) => p[i]), latency: allRounded(told.map((i) => values[i])) };
}

/** @param {Quantiles} line @param {number} p @returns {string} */
export function textAt({ p: all, latency }, p) {
  const value = latency[all.indexOf(p)] ?? null;
  return value === null ? '–' : formatNumber(value);
}

/**
 * @param {Entry[]} entries
 * @returns {string} '' when all of their latencies count
 */
export function invalidNote(entries) {
  const out = entries.filter(({ record }) => record.metrics.latency_ms_p50?.valid === false);
  const reasonOf = (/** @type {Entry} */ { record }) => record.metrics.latency_ms_p50.reason ?? 'not valid';
  if (!out.length) return '';
  if (entries.length === 1) return `⊘ These latencies do not count: ${reasonOf(out[0])}.`;
  return `⊘ These do not count: ${out.map((entry) => (
    `${valuesText(entry.record) || entry.case} (${reasonOf(entry)})`)).join('; ')}.`;
}
