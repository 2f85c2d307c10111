import { curves, keyOf, limitsOf } from '../../../site/assets/js/latency-lines.js';
import * as quantiles from '../../../site/assets/js/quantiles.js';
import { slotOf } from './chart.js';
import { lineNamer } from './line-labels.js';
import { hasLatencies, invalidNote, quantilesOf } from './quantiles-chart.js';

/** @import { Distribution } from '../../../reports/schema/types.d.ts' */
/** @import { ChartSpec } from '../collect/declared-parts.js' */
/** @import { Entry } from '../collect/collect-record.js' */
/** @import { Chart } from './chart.js' */

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
  const lines = both.map((side, i) => ({ slot: i ? 'base' : 1, who: nameOf(side), ...quantilesOf(side) }));
  const limits = limitsOf(entry.record.thresholds);
  return {
    ...curves(lines),
    note: invalidNote([entry]),
    title: 'Latency by percentile',
    key: [...keyOf(lines), ...(limits.p.length ? [{ slot: 'limit', text: 'threshold' }] : [])],
    data: { quantiles: [...lines].reverse(), limits: [limits] },
  };
}

/**
 * Latency by percentile of several cases, as a spec declares it.
 * @param {ChartSpec} wish
 * @param {Entry[]} entries
 * @param {(entry: Entry) => string} nameOf
 * @returns {Chart | null} null: no record has a distribution
 */
export function distribution(wish, entries, nameOf) {
  const has = entries.filter(hasLatencies);
  if (!has.length) return null;
  const lineOf = lineNamer({ series: wish.series }, has, nameOf);
  const lines = has.map((entry, i) => ({
    slot: slotOf(i),
    who: lineOf(entry) || nameOf(entry),
    ...quantilesOf(entry),
  }));
  return {
    ...curves(lines),
    note: invalidNote(has),
    title: wish.title ?? 'Latency by percentile',
    key: lines.length > 1 ? keyOf(lines) : [],
    data: { quantiles: [...lines].reverse(), limits: [] },
  };
}

/**
 * Latency by percentile of both sides of a duet.
 * @param {{ base: Distribution, head: Distribution }} distributions
 * @returns {Chart}
 */
export function bothDistributions({ base, head }) {
  const lines = [
    { slot: 1, who: 'head', ...quantiles.quantilesOf(head) },
    { slot: 'base', who: 'base', ...quantiles.quantilesOf(base) },
  ];
  return {
    ...curves(lines),
    title: 'Latency by percentile',
    key: keyOf(lines),
    data: { quantiles: [...lines].reverse(), limits: [] },
  };
}
