import { tableOf } from './tables.js';

/** The metrics of records, from the table of them; k6 does not load it, since it makes no record. */
export type RecordMetric = {
  name: string;
  title: string;
  /** as records have it */
  unit: string;
  /** as pages show it */
  shown_unit?: string;
  /** which is better */
  direction?: 'lower' | 'higher';
  /** a finding invalidates metrics by the group */
  group: string;
  /** of a group of requests that is timed as one */
  of?: 'group';
  /** only some cases have it */
  when?: 'faults' | 'users' | 'search' | 'due' | 'native' | 'duet' | 'containers' | 'unsampled';
};

type Section = { title: string; about: string; metrics: RecordMetric[] };

export type MetricsTable = {
  sections: Section[];
  others: { name: string; title: string; unit: string; shown_unit?: string }[];
  headline: string[];
  summary: string[];
  compared: string[];
  of_request: string[];
  over_time: string[];
};

export const metricsTable = tableOf('metrics') as unknown as MetricsTable;

const rows = metricsTable.sections.flatMap(({ metrics }) => metrics);

const namesOf = (isOne: (row: RecordMetric) => boolean) => rows.filter(isOne).map(({ name }) => name);

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
 * @returns as records have it
 */
export const unitOf = (name: string): string => units.get(name) ?? '1';
