import { namesFrom } from '../../../site/assets/js/metric-names.js';
import { metricsTable } from '../../suite/cases/record-metrics.js';

/** @import { MetricNames, MetricTable, Section } from '../../../site/assets/js/metric-names.js' */
/** @import { MetricsTable } from '../../suite/cases/record-metrics.js' */

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

/** What pages call metrics. @type {MetricNames} */
export const metricNames = namesFrom(shownOf(metricsTable));

/**
 * A metric's name and unit, for a heading or an axis.
 * @param {MetricNames} names
 * @param {string} name
 * @param {string} unit as numbers are printed in, '' for none
 * @returns {string} latency p95, ms
 */
export const headingOf = (names, name, unit) => [names.titleOf(name), unit].filter(Boolean).join(', ');
