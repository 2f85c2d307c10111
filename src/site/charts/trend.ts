import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import type { Entry } from '../collect/collect-record.js';
import type { Chart } from './chart.js';
import { history } from './history.js';

/**
 * A metric over versions in a small chart, to stand among others.
 * @param entries of one scenario in one environment, oldest version first
 * @returns null: nothing was measured twice
 */
export function trend(
  metric: string,
  entries: Entry[],
  names: MetricNames,
  nameOf: (entry: Entry) => string,
): Chart | null {
  const chart = history(metric, entries, names, nameOf, () => null);
  if (chart === null) return null;
  const { bands, names: _, ...data } = chart.data; // nothing was compared, and one key stands above all charts
  // Its axis has no title: that is the chart's. One drawing does for all metrics.
  return { ...chart, file: 'trend', title: String(chart.patch?.fields?.y.title), patch: undefined, data };
}
