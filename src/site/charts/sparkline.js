import { history } from './history.js';

/**
 * A metric of one case over versions, without axes: to stand beside its number.
 * @param {string} metric
 * @param {import('../collect/record.js').Entry[]} entries of the case, oldest first
 * @param {import('../model/metrics.js').MetricNames} names
 * @param {(entry: import('../collect/record.js').Entry) => string} nameOf
 * @returns {import('./chart.js').Chart | null} null: it was measured once at most
 */
export function sparkline(metric, entries, names, nameOf) {
  const chart = history(metric, entries, names, nameOf, () => null);
  return chart && { ...chart, file: 'sparkline', patch: undefined, data: { points: chart.data.points } };
}
