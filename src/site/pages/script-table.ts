import type { BenchRecord, Metric } from '../../../reports/schema/types.d.ts';
import { formatCount, formatInUnit, formatNumber } from '../../base/format.js';

/** Numbers of a trend, a counter, a rate and a gauge, in the order of their columns. */
const columns = ['p50', 'p95', 'p99', 'mean', 'last', 'min', 'max', 'total', 'per_second', 'ratio'];

/**
 * A table of what the script of a record's scenario measured itself: a row each, the numbers with their own units.
 * @returns null: nothing
 */
export function scriptTable({
  script_metrics: own = {},
}: Pick<BenchRecord, 'script_metrics'>): ReturnType<typeof import('./part-table.js').partTable> {
  const all = Object.entries(own);
  if (!all.length) return null;
  const shown = columns.filter((name) => all.some(([, { metrics }]) => metrics[name]));
  return {
    title: 'Measured by the script',
    columns: [
      { title: 'metric' },
      { title: 'of' },
      { title: 'count' },
      ...shown.map((name) => ({ title: name.replace('_', ' ') })),
    ],
    rows: all.map(([name, { of, count, metrics }]) => ({
      name,
      cells: [
        of === 'run' ? 'the whole run' : 'the window',
        count === null ? '–' : formatCount(count),
        ...shown.map((metric) => cellOf(metrics[metric])),
      ],
    })),
  };
}

function cellOf(metric: Metric | undefined) {
  if (metric === undefined || metric.value === null) return '–';
  if (!metric.valid) return '⊘';
  return metric.unit === '1' ? formatNumber(metric.value) : formatInUnit(metric.value, metric.unit);
}
