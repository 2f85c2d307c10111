import { scopeOf } from '../../dist/suite/cases/metrics.js';
import { parseSubMetric, subMetricName } from '../../dist/suite/cases/sub-metric.js';

/** @import { K6Threshold } from './thresholds.js' */

/**
 * The thresholds option with every sub-metric twice, once for each side.
 * @param {Record<string, K6Threshold[]>} thresholds
 * @returns {Record<string, string[]>} without expressions: a duet judges by pairs, afterwards
 */
export function bySide(thresholds) {
  const names = Object.keys(thresholds).flatMap((name) => {
    const { metric, selector } = parseSubMetric(name);
    if (selector.phase === undefined || scopeOf(metric) !== 'request') return [name]; // it is of no side
    return ['base', 'head'].map((side) => subMetricName({ metric, selector: { ...selector, side } }));
  });
  return Object.fromEntries(names.map((name) => [name, []]));
}
