import { formatNumber } from '../format.js';
import { allRounded } from './chart.js';

/**
 * @typedef {import('../collect/record.js').Entry} Entry
 * @typedef {import('./chart.js').Chart} Chart
 */

const shown = [50, 75, 90, 95, 99, 99.9, 99.99];

/**
 * Latency by percentile, of a record and of the one it is set beside.
 * @param {Entry} entry
 * @param {Entry | null} base
 * @param {(entry: Entry) => string} nameOf
 * @returns {Chart | null} null: the record has no distribution
 */
export function latencyDistribution(entry, base, nameOf) {
  const lines = [entry, ...(base ? [base] : [])].filter(({ record }) => record.distribution?.count)
    .map((one) => ({ who: nameOf(one), ...quantilesOf(one) }));
  if (!entry.record.distribution?.count) return null;
  const limits = limitsOf(entry.record.thresholds);
  const told = shown.filter((p) => at(lines[0], p) !== null);
  return {
    file: 'latency-distribution',
    title: 'Latency by percentile',
    note: noteOf(entry.record.metrics.latency_ms_p50),
    summary: `Latency by percentile of ${lines.map(({ who }) => who).join(' and ')}: ${
      told.map((p) => `p${p} ${textAt(lines[0], p)} ms`).join(', ')}.`,
    key: [...lines.map(({ who }, i) => ({ slot: i ? 'base' : 1, text: who })),
      ...(limits.p.length ? [{ slot: 'limit', text: 'threshold' }] : [])],
    // What is drawn last is on top.
    data: { quantiles: lines.map((line, i) => ({ slot: i + 1, ...line })).reverse(), limits: [limits] },
    table: {
      head: ['percentile', ...lines.map(({ who }) => `${who}, ms`)],
      rows: told.map((p) => [`p${p}`, ...lines.map((line) => textAt(line, p))]),
    },
  };
}

/** @param {import('../collect/record.js').Metric} [metric] */
const noteOf = (metric) => (
  metric?.valid === false ? `⊘ These latencies do not count: ${metric.reason ?? 'not valid'}.` : '');

/**
 * As far out as there are requests to tell: the p-th percentile needs one beyond it. Zero has no place on a log scale.
 * @param {Entry} entry
 */
function quantilesOf({ record }) {
  const { p, values, count } = /** @type {import('../collect/record.js').Distribution} */ (record.distribution);
  const beyond = (/** @type {number} */ i) => count * (1 - p[i] / 100) + 1e-9; // 1 - 0.999 is less than a thousandth
  const told = [...p.keys()].filter((i) => p[i] < 100 && beyond(i) >= 1 && values[i] > 0);
  return { p: told.map((i) => p[i]), latency: allRounded(told.map((i) => values[i])) };
}

/**
 * Thresholds on a percentile of all requests, where they can be set against the curve.
 * @param {import('../collect/record.js').Threshold[]} thresholds
 */
function limitsOf(thresholds) {
  const ofAll = thresholds.filter(({ metric, selector }) => (
    metric === 'http_req_duration' && !Object.keys(selector).length));
  const found = ofAll.map(({ expr }) => /^\s*p\(([\d.]+)\)\s*<=?\s*([\d.e+]+)\s*$/.exec(expr))
    .filter((match) => match !== null);
  return {
    p: found.map(([, p]) => Number(p)), latency: found.map(([, , limit]) => Number(limit)),
    threshold: found.map(([expr]) => expr),
  };
}

/** @param {{ p: number[], latency: (number | null)[] }} line @param {number} p */
const at = ({ p: all, latency }, p) => latency[all.indexOf(p)] ?? null;

/** @param {{ p: number[], latency: (number | null)[] }} line @param {number} p */
function textAt(line, p) {
  const value = at(line, p);
  return value === null ? '–' : formatNumber(value);
}
