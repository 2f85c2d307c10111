import { formatChange } from '../../base/format.js';
import { rounded } from './chart.js';
import { history } from './history.js';
import { columnsOf } from './points.js';

/** @import { MetricNames } from '../../../site/assets/js/metric-names.js' */
/** @import { Entry } from '../collect/collect-record.js' */
/** @import { ChainLine } from '../model/chains.js' */
/** @import { Chart } from './chart.js' */

/**
 * A metric of one case over versions, without axes: to stand beside its number.
 * @param {string} metric
 * @param {Entry[]} entries of the case, oldest first
 * @param {MetricNames} names
 * @param {(entry: Entry) => string} nameOf
 * @returns {Chart | null} null: it was measured once at most
 */
export function sparkline(metric, entries, names, nameOf) {
  const chart = history(metric, entries, names, nameOf, () => null);
  return chart && { ...chart, file: 'sparkline', patch: undefined, data: { points: chart.data.points } };
}

/**
 * A line of a chain of duets, in the same way.
 * @param {ChainLine} line
 * @param {string} title of the metric
 * @returns {Chart | null} null: it has one step at most
 */
export function chainSparkline({ steps }, title) {
  if (steps.length < 2) return null;
  const percent = (/** @type {number} */ ratio) => rounded((ratio - 1) * 100);
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
