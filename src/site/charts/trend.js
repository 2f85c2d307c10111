import { history } from './history.js';

/** @import { MetricNames } from '../../../site/assets/js/metric-names.js' */
/** @import { Entry } from '../collect/collect-record.js' */
/** @import { Chart } from './chart.js' */

/**
 * A metric over versions in a small chart, to stand among others.
 * @param {string} metric
 * @param {Entry[]} entries of one scenario in one environment, oldest version first
 * @param {MetricNames} names
 * @param {(entry: Entry) => string} nameOf
 * @returns {Chart | null} null: nothing was measured twice
 */
export function trend(metric, entries, names, nameOf) {
  const chart = history(metric, entries, names, nameOf, () => null);
  if (chart === null) return null;
  const { bands, names: _, ...data } = chart.data; // nothing was compared, and one key stands above all charts
  // Its axis has no title: that is the chart's. One drawing does for all metrics.
  return { ...chart, file: 'trend', title: String(chart.patch?.fields?.y.title), patch: undefined, data };
}
