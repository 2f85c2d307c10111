import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesFrom } from '../../../site/assets/js/metric-names.js';
import { metricsTable } from '../../cases/record-metrics.js';
import { parseTable } from '../../cases/tables.js';
import { UserError } from '../../errors.js';

/** @import { MetricNames, MetricTable, Section } from '../../../site/assets/js/metric-names.js' */
/** @import { MetricsTable } from '../../cases/record-metrics.js' */

/**
 * Reads what pages call metrics: from the suite's own table, or ours.
 * @param {string} root of the suite
 * @returns {MetricNames}
 * @throws {UserError} the suite's own table cannot be read
 */
export function readMetricNames(root) {
  const own = join(root, 'reports', 'lib', 'tables', 'metrics.jq');
  if (!existsSync(own)) return namesFrom(shownOf(metricsTable));
  try {
    return namesFrom(shownOf(parseTable(readFileSync(own, 'utf8'))));
  } catch (cause) {
    throw new UserError(`${own} is not a table of metrics: ${/** @type {Error} */ (cause).message}`, {
      hint: 'Copy ours from node_modules/benchfolio/reports/lib/tables, and change that.',
      cause,
    });
  }
}

/**
 * The part of a table that pages and browsers need.
 * @param {MetricsTable} table
 * @returns {MetricTable}
 */
const shownOf = ({ sections, others, headline }) => ({
  headline,
  sections: sections.map(({ title, about, metrics }) => ({ title, about, metrics: metrics.map(shownMetric) })),
  others: others.map(shownMetric),
});

/** @param {{ name: string, title: string, shown_unit?: string }} metric */
const shownMetric = ({ name, title, shown_unit: unit }) => ({ name, title, ...(unit && { unit }) });

/**
 * A metric's name and unit, for a heading or an axis.
 * @param {MetricNames} names
 * @param {string} name
 * @param {string} unit as numbers are printed in, '' for none
 * @returns {string} latency p95, ms
 */
export const headingOf = (names, name, unit) => [names.titleOf(name), unit].filter(Boolean).join(', ');
