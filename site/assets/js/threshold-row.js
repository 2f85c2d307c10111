import { formatAs, formatCount, printOf } from './format.js';

/** @import { Threshold } from '../../../reports/schema/types.d.ts' */

/**
 * A threshold as a page shows it: what was expected, what was seen.
 * @param {Threshold} threshold
 */
export function thresholdRow(threshold) {
  const { metric, selector, expr, level, observed, count, outcome, reason, implicit } = threshold;
  const tags = Object.entries(selector)
    .map(([tag, value]) => `${tag}: ${value}`)
    .join(', ');
  const print = printOf(threshold.unit, [observed]);
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
