import type { Distribution } from '../../../reports/schema/types.d.ts';
import { formatNumber } from '../../base/format.js';
import type { Entry } from '../collect/collect-record.js';
import type { ChartSpec } from '../collect/declared-parts.js';
import { type Chart, rounded, slotOf } from './chart.js';
import { lineNamer } from './line-labels.js';
import { columnsOf } from './points.js';
import { hasLatencies, invalidNote, quantilesOf, shownPercentiles, textAt } from './quantiles-chart.js';

/** share: of the requests, in percent; below: all that took less than its upper end */
type Bin = { from: number; to: number; share: number; below: number };

/** About this many bins are read at a glance; a decade has one of these numbers of them. */
const [fewest, perDecade] = [20, [5, 10, 20, 50]];

/**
 * How many requests took how long: shares in bins of equal width on a logarithmic scale, and their sum.
 * @returns null: no record has a distribution
 */
export function histogram(wish: ChartSpec, entries: Entry[], nameOf: (entry: Entry) => string): Chart | null {
  const has = entries.filter(hasLatencies);
  if (!has.length) return null;
  const edges = edgesOf(has.map(({ record }) => record.distribution as Distribution));
  const lineOf = lineNamer({ series: wish.series }, has, nameOf);
  const lines = has.map((entry, i) => ({
    slot: slotOf(i),
    who: lineOf(entry) || nameOf(entry),
    entry,
    bins: binsOf(entry.record.distribution as Distribution, edges),
  }));
  const most = lines[0].bins.reduce((a, b) => (b.share > a.share ? b : a));
  return {
    file: 'histogram',
    title: wish.title ?? 'How long requests took',
    note: invalidNote(has),
    about: 'Drawn from the 101 quantiles that a record keeps, not from single requests.',
    summary: `Shares of requests by latency, of ${lines.map(({ who }) => who).join(' and ')}: most often ${formatNumber(
      most.from,
    )} to ${formatNumber(most.to)} ms, ${formatNumber(most.share)} % of the requests.`,
    key: lines.length > 1 ? lines.map(({ slot, who }) => ({ slot, text: who })) : [],
    data: {
      bins: lines.map(({ slot, who, bins }) => ({ slot, who, ...columnsOf(bins) })),
      // A staircase ends on the ground.
      outline: lines.map(({ slot, who, bins }) => ({
        slot,
        who,
        ms: [...bins.map(({ from }) => from), bins.at(-1)?.to],
        share: [...bins.map(({ share }) => share), 0],
        bin: [...bins.map(binText), ''],
      })),
      sums: lines.map(({ slot, who, bins }) => ({
        slot,
        who,
        ms: [bins[0].from, ...bins.map(({ to }) => to)],
        below: [0, ...bins.map(({ below }) => below)],
      })),
    },
    table: {
      head: ['percentile', ...lines.map(({ who }) => `${who}, ms`)],
      rows: shownPercentiles.map((p) => [
        `${p} % took at most`,
        ...lines.map(({ entry }) => textAt(quantilesOf(entry), p)),
      ]),
    },
  };
}

const binText = ({ from, to }: Bin) => `${formatNumber(from)} to ${formatNumber(to)} ms`;

/**
 * The same bins for all that stands in one chart.
 * @returns ends of bins, in ms
 */
function edgesOf(all: Distribution[]): number[] {
  // Zero has no place on a log scale: requests that took no measurable time are in the first bin.
  const values = all.flatMap((distribution) => distribution.values.filter((value) => value > 0));
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  const parts = perDecade.find((n) => (high - low) * n >= fewest) ?? perDecade.at(-1) ?? 1;
  const [first, last] = [Math.floor(low * parts), Math.max(Math.ceil(high * parts), Math.floor(low * parts) + 1)];
  return Array.from({ length: last - first + 1 }, (_, i) => 10 ** ((first + i) / parts));
}

function binsOf(distribution: Distribution, edges: number[]): Bin[] {
  const below = edges.map((edge, i) => (i ? 100 * belowOf(distribution, edge) : 0));
  return below.slice(1).map((sum, i) => ({
    from: digits(edges[i]),
    to: digits(edges[i + 1]),
    share: digits(sum - below[i]),
    below: digits(sum),
  }));
}

const digits = (value: number) => rounded(value) as number;

/** The share of requests that took less, straight between two quantiles on the scale of the chart. */
function belowOf({ p, values }: Distribution, ms: number) {
  const after = values.findIndex((value) => value > ms);
  if (after === -1) return 1;
  if (after === 0) return 0;
  const [low, high] = [values[after - 1], values[after]];
  const way = low > 0 ? Math.log(ms / low) / Math.log(high / low) : 1;
  return (p[after - 1] + way * (p[after] - p[after - 1])) / 100;
}
