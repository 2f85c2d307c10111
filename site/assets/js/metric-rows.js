import { formatAs, formatCount, inColumn } from './format.js';

/** @import { Metric } from '../../../reports/schema/types.d.ts' */
/** @import { Print } from './format.js' */
/** @import { MetricNames } from './metric-names.js' */

/**
 * @typedef {{ name: string, title: string, text: string, unit: string, exact: string, spread: string,
 *   samples: string[], count: string, valid: boolean, reason: string | null }} MetricRow
 */

/**
 * The lowest and the highest round.
 * @param {Metric} metric
 * @param {Print} print
 * @returns {string} '' when there was one round
 */
export function spreadOf({ samples }, print) {
  const values = samples.filter((value) => value !== null);
  if (values.length < 2) return '';
  const ends = [Math.min(...values), Math.max(...values)];
  const column = inColumn(print, ends);
  const [low, high] = ends.map((value) => formatAs(value, column));
  return low === high ? low : `${low} to ${high}`;
}

/**
 * @param {string} name
 * @param {string} title
 * @param {Metric} metric
 * @param {MetricNames} names
 * @param {Print} [print] where another number is beside it
 * @returns {MetricRow}
 */
export function metricRow(name, title, metric, names, print = names.printOf(name, metric.unit, [metric.value])) {
  return {
    name,
    title,
    text: formatAs(metric.value, print),
    unit: print.unit,
    exact: metric.value === null ? '' : `${metric.value} ${metric.unit}`,
    spread: spreadOf(metric, print),
    samples: metric.samples.map((value) => formatAs(value, print)),
    count: metric.count === null ? '' : formatCount(metric.count),
    valid: metric.valid,
    reason: metric.reason,
  };
}

/**
 * All metrics of a record in the groups of the metric table; the ones it does not know come last.
 * @param {Record<string, Metric>} metrics
 * @param {MetricNames} names
 * @returns {{ title: string, about: string, rows: MetricRow[] }[]}
 */
export function metricGroups(metrics, names) {
  const rowsOf = (/** @type {{ name: string, title: string }[]} */ listed) =>
    listed.filter(({ name }) => metrics[name]).map(({ name, title }) => metricRow(name, title, metrics[name], names));
  const known = names.sections.map(({ title, about, metrics: listed }) => ({ title, about, rows: rowsOf(listed) }));
  const others = Object.keys(metrics)
    .filter((name) => names.orderOf(name) === Infinity)
    .sort();
  const rest = { title: 'Other', about: '', rows: rowsOf(others.map((name) => ({ name, title: name }))) };
  return [...known, rest].filter(({ rows }) => rows.length > 0);
}
