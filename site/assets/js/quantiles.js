import { formatNumber } from './format.js';

/**
 * The latencies of a record as the charts draw them, when the site is built and in the browser alike.
 * @typedef {{ p: number[], values: number[], count: number }} LatencyGrid
 * @typedef {{ p: number[], latency: (number | null)[] }} Quantiles
 */

/** The percentiles that a table beside a chart names. */
export const shownPercentiles = [50, 75, 90, 95, 99, 99.9, 99.99];

/**
 * As far out as there are requests to tell: the p-th percentile needs one beyond it. Zero has no place on a log scale.
 * @param {LatencyGrid} distribution
 * @returns {Quantiles}
 */
export function quantilesOf({ p, values, count }) {
  const beyond = (/** @type {number} */ i) => count * (1 - p[i] / 100) + 1e-9; // 1 - 0.999 is less than a thousandth
  const known = [...p.keys()].filter((i) => p[i] < 100 && beyond(i) >= 1 && values[i] > 0);
  return { p: known.map((i) => p[i]), latency: allRounded(known.map((i) => values[i])) };
}

/** @param {Quantiles} line @param {number} p @returns {string} */
export function textAt({ p: all, latency }, p) {
  const value = latency[all.indexOf(p)] ?? null;
  return value === null ? '–' : formatNumber(value);
}

/** Four significant digits: more cannot be seen, and they would be most of a page. @param {number | null} value */
export const rounded = (value) => (value === null ? null : Number(value.toPrecision(4)));

/** @param {(number | null)[]} values */
export const allRounded = (values) => values.map(rounded);
