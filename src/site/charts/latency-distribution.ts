import type { Distribution } from '../../../reports/schema/types.d.ts';
import { curves, keyOf, limitsOf } from '../../../site/assets/js/latency-lines.js';
import * as quantiles from '../../../site/assets/js/quantiles.js';
import type { Entry } from '../collect/collect-record.js';
import type { ChartSpec } from '../collect/declared-parts.js';
import { type Chart, slotOf } from './chart.js';
import { lineNamer } from './line-labels.js';
import { hasLatencies, invalidNote, quantilesOf } from './quantiles-chart.js';

/**
 * Latency by percentile, of a record and of the one it is set beside.
 * @returns null: the record has no distribution
 */
export function latencyDistribution(entry: Entry, base: Entry | null, nameOf: (entry: Entry) => string): Chart | null {
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
 * @returns null: no record has a distribution
 */
export function distribution(wish: ChartSpec, entries: Entry[], nameOf: (entry: Entry) => string): Chart | null {
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

/** Latency by percentile of both sides of a duet. */
export function bothDistributions({ base, head }: { base: Distribution; head: Distribution }): Chart {
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
