import { tableOf } from './tables.js';

/**
 * The metrics of records, from the table of them; k6 does without, as it has no record.
 * @typedef {object} RecordMetric
 * @property {string} name
 * @property {string} title
 * @property {string} unit as records have it
 * @property {string} [shown_unit] as pages show it
 * @property {'lower' | 'higher'} [direction] which is better
 * @property {string} group a finding invalidates metrics by the group
 * @property {'group'} [of] of a group of requests that is timed as one
 * @property {'faults' | 'users' | 'search' | 'due' | 'native' | 'duet' | 'containers' | 'unsampled'} [when] only some cases have it
 *
 * @typedef {{ title: string, about: string, metrics: RecordMetric[] }} Section
 * @typedef {{ sections: Section[], others: { name: string, title: string, unit: string, shown_unit?: string }[],
 *   headline: string[], summary: string[], compared: string[], of_request: string[], over_time: string[] }} MetricsTable
 */

export const metricsTable = /** @type {MetricsTable} */ (/** @type {unknown} */ (tableOf('metrics')));

const rows = metricsTable.sections.flatMap(({ metrics }) => metrics);

/** @param {(row: RecordMetric) => boolean} isOne */
const namesOf = (isOne) => rows.filter(isOne).map(({ name }) => name);

/** The metrics of a record: what `gate`, `tolerances` and charts may name. */
export const recordMetrics = namesOf(({ of, when }) => of !== 'group' && when !== 'search' && when !== 'duet');

/** What a record has of each request, group and service: what the cells of a table may name. */
export const partMetrics = {
  request: metricsTable.of_request,
  group: ['count', ...namesOf(({ of }) => of === 'group')],
  service: namesOf(({ group }) => group === 'services'),
};

/** What a record has over time, besides metrics from Prometheus: what charts over time may draw. */
export const timeSeriesMetrics = metricsTable.over_time;

const units = new Map([...rows, ...metricsTable.others].map(({ name, unit }) => [name, unit]));

/**
 * Tells the unit of what a record has over time.
 * @param {string} name
 * @returns {string} as records have it
 */
export const unitOf = (name) => units.get(name) ?? '1';
