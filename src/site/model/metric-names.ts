import { type MetricNames, type MetricTable, namesFrom } from '../../../site/assets/js/metric-names.js';
import { type MetricsTable, metricsTable } from '../../suite/cases/record-metrics.js';

/** The part of a table that pages and browsers need. */
const shownOf = ({ sections, others, headline }: MetricsTable): MetricTable => ({
  headline,
  sections: sections.map(({ title, about, metrics }) => ({ title, about, metrics: metrics.map(shownMetric) })),
  others: others.map(shownMetric),
});

const shownMetric = ({ name, title, shown_unit: unit }: { name: string; title: string; shown_unit?: string }) => ({
  name,
  title,
  ...(unit && { unit }),
});

/** What pages call metrics. */
export const metricNames: MetricNames = namesFrom(shownOf(metricsTable));

/**
 * A metric's name and unit, for a heading or an axis.
 * @param unit as numbers are printed in, '' for none
 * @returns latency p95, ms
 */
export const headingOf = (names: MetricNames, name: string, unit: string): string =>
  [names.titleOf(name), unit].filter(Boolean).join(', ');
