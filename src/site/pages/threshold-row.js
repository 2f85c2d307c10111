import { k6Metrics } from '../../spec/metrics.js';
import { formatCount, printOf, printed } from '../format.js';

/**
 * A threshold as a page shows it: what was expected, what was seen.
 * @param {import('../collect/record.js').Threshold} threshold
 */
export function thresholdRow({ metric, selector, expr, level, observed, count, outcome, reason, implicit }) {
  const tags = Object.entries(selector).map(([tag, value]) => `${tag}: ${value}`).join(', ');
  const print = printOf(unitOf(metric, expr));
  return {
    metric, tags, expr, level, outcome, reason, implicit, text: printed(observed, print), unit: print.unit,
    exact: observed, count: count === null ? '' : formatCount(count),
  };
}

/**
 * The unit of what a threshold's expression gives: k6's times are milliseconds, its rates shares.
 * @param {string} metric
 * @param {string} expr
 * @returns {string} as in records
 */
function unitOf(metric, expr) {
  if (metric.includes('_bytes')) return 'bytes';
  if (metric === 'cpu_ratio') return 'cores';
  if (metric === 'cpu_ms_per_request' || k6Metrics[metric] === 'trend') return 'ms';
  if (k6Metrics[metric] === 'rate' || metric.endsWith('_ratio')) return 'ratio';
  return k6Metrics[metric] === 'counter' && /^\s*rate/.test(expr) ? '1/s' : '1';
}
