import { history } from './history.js';

/**
 * A metric over versions in a small chart, to stand among others.
 * @param {string} metric
 * @param {import('../collect/record.js').Entry[]} entries of one scenario in one environment, oldest version first
 * @param {import('../model/metrics.js').MetricNames} names
 * @param {(entry: import('../collect/record.js').Entry) => string} nameOf
 * @returns {import('./chart.js').Chart | null} null: nothing was measured twice
 */
export function trend(metric, entries, names, nameOf) {
  const chart = history(metric, entries, names, nameOf, () => null);
  if (chart === null) return null;
  const { bands, names: _, ...data } = chart.data; // nothing was compared, and one key stands above all charts
  // Its axis has no title: that is the chart's. One drawing does for all metrics.
  return { ...chart, file: 'trend', title: String(chart.patch?.fields?.y.title), patch: undefined, data };
}
