import { slotOf } from './chart.js';
import { lineNamer } from './lines.js';
import { hasLatencies, invalidNote, quantilesOf, shownPercentiles, textAt } from './quantiles.js';

/**
 * @typedef {import('../collect/record.js').Entry} Entry
 * @typedef {import('./chart.js').Chart} Chart
 */

/**
 * Latency by percentile, of a record and of the one it is set beside.
 * @param {Entry} entry
 * @param {Entry | null} base
 * @param {(entry: Entry) => string} nameOf
 * @returns {Chart | null} null: the record has no distribution
 */
export function latencyDistribution(entry, base, nameOf) {
  if (!hasLatencies(entry)) return null;
  const both = [entry, ...(base ? [base] : [])].filter(hasLatencies);
  const lines = both.map((one, i) => ({ slot: i ? 'base' : 1, who: nameOf(one), ...quantilesOf(one) }));
  const limits = limitsOf(entry.record.thresholds);
  return {
    ...curves(lines), note: invalidNote([entry]), title: 'Latency by percentile',
    key: [...keyOf(lines), ...(limits.p.length ? [{ slot: 'limit', text: 'threshold' }] : [])],
    data: { quantiles: [...lines].reverse(), limits: [limits] },
  };
}

/**
 * Latency by percentile of several cases, as a spec declares it.
 * @param {import('./lines.js').ChartWish} wish
 * @param {Entry[]} entries
 * @param {(entry: Entry) => string} nameOf
 * @returns {Chart | null} null: no record has a distribution
 */
export function distribution(wish, entries, nameOf) {
  const has = entries.filter(hasLatencies);
  if (!has.length) return null;
  const lineOf = lineNamer({ series: wish.series }, has, nameOf);
  const lines = has.map((entry, i) => (
    { slot: slotOf(i), who: lineOf(entry) || nameOf(entry), ...quantilesOf(entry) }));
  return {
    ...curves(lines), note: invalidNote(has), title: wish.title ?? 'Latency by percentile',
    key: lines.length > 1 ? keyOf(lines) : [], data: { quantiles: [...lines].reverse(), limits: [] },
  };
}

/** @typedef {import('./quantiles.js').Quantiles & { slot: string | number, who: string }} Line */

/** @param {Line[]} lines @returns {import('./chart.js').Key[]} */
const keyOf = (lines) => lines.map(({ slot, who }) => ({ slot, text: who }));

/**
 * What is said of curves, whichever they are. In the data they are the other way round: what is drawn last is on top.
 * @param {Line[]} lines
 */
function curves(lines) {
  const told = shownPercentiles.filter((p) => lines.some((line) => textAt(line, p) !== '–'));
  return {
    file: 'latency-distribution',
    summary: `Latency by percentile of ${lines.map(({ who }) => who).join(' and ')}: ${
      told.map((p) => `p${p} ${textAt(lines[0], p)} ms`).join(', ')}.`,
    table: {
      head: ['percentile', ...lines.map(({ who }) => `${who}, ms`)],
      rows: told.map((p) => [`p${p}`, ...lines.map((line) => textAt(line, p))]),
    },
  };
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
