import { formatAs, formatCount, printOf } from './format.js';

/** @import { Threshold } from '../../../reports/schema/types.d.ts' */

/**
 * A threshold as a page shows it: what was expected, what was seen.
 * @param {Threshold} threshold
 * @param {Record<string, { unit: string }>} metrics of the record: some thresholds are on one of them
 * @param {Record<string, string>} types of k6's metrics
 */
export function thresholdRow(threshold, metrics, types) {
  const { metric, selector, expr, level, observed, count, outcome, reason, implicit } = threshold;
  const tags = Object.entries(selector)
    .map(([tag, value]) => `${tag}: ${value}`)
    .join(', ');
  const print = printOf(threshold.unit ?? metrics[metric]?.unit ?? unitOf(metric, expr, types), [observed]);
  return {
    metric,
    tags,
    expr,
    level,
    outcome,
    reason,
    implicit,
    text: formatAs(observed, print),
    unit: print.unit,
    exact: observed,
    count: count === null ? '' : formatCount(count),
  };
}

/**
 * Of metrics that k6 has not, or not of its own.
 * @type {Record<string, string>}
 */
const own = { receiving_rate: 'bytes/s', recovery_ms: 'ms', fault_errors: 'ratio', group_duration: 'ms' };

/**
 * The unit of what a threshold's expression gives, in a record that does not say: k6's times are milliseconds, its rates shares.
 * @param {string} metric
 * @param {string} expr
 * @param {Record<string, string>} types
 * @returns {string} as in records
 */
function unitOf(metric, expr, types) {
  if (own[metric]) return own[metric];
  if (metric.includes('_bytes')) return 'bytes';
  if (metric === 'cpu_ratio') return 'cores';
  if (metric === 'cpu_ms_per_request' || types[metric] === 'trend') return 'ms';
  if (types[metric] === 'rate' || metric.endsWith('_ratio')) return 'ratio';
  return types[metric] === 'counter' && /^\s*rate/.test(expr) ? '1/s' : '1';
}
