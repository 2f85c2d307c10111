import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import { formatChange } from '../../base/format.js';
import type { Entry } from '../collect/collect-record.js';
import type { ChainLine } from '../model/chains.js';
import { type Chart, rounded } from './chart.js';
import { history } from './history.js';
import { columnsOf } from './points.js';

/**
 * A metric of one case over versions, without axes: for the place beside its number.
 * @param entries of the case, oldest first
 * @returns null: it was measured once at most
 */
export function sparkline(
  metric: string,
  entries: Entry[],
  names: MetricNames,
  nameOf: (entry: Entry) => string,
): Chart | null {
  const chart = history(metric, entries, names, nameOf, () => null);
  return chart && { ...chart, file: 'sparkline', patch: undefined, data: { points: chart.data.points } };
}

/**
 * A line of a chain of duets, in the same way.
 * @param title of the metric
 * @returns null: it has one step at most
 */
export function chainSparkline({ steps }: ChainLine, title: string): Chart | null {
  if (steps.length < 2) return null;
  const percent = (ratio: number) => rounded((ratio - 1) * 100);
  const points = steps.map(({ at, stretch, product }) => ({
    version: at,
    stretch,
    y: percent(product.estimate),
    low: percent(product.low),
    high: percent(product.high),
  }));
  const [first] = points;
  const start = { ...first, version: first.version - 1, y: 0, low: 0, high: 0 };
  return {
    file: 'sparkline',
    title,
    summary: `${title} over ${points.length} duets: ${formatChange(steps[steps.length - 1].product.estimate)} since the first.`,
    key: [],
    data: { points: [columnsOf([start, ...points])] },
    table: { head: [], rows: [] },
  };
}
