import type { BenchRecord, Metric } from '../../../reports/schema/types.d.ts';
import { essentials } from '../../../site/assets/js/comparable.js';
import type { Entry } from '../collect/collect-record.js';

/** A column of CSV: its title, and the cell of a row; null is an empty one. */
export type CsvColumn<T> = readonly [title: string, cell: (row: T) => unknown];

/** @returns CSV after RFC 4180 */
export const csv = <T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string =>
  [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, cell]) => cell(row)))]
    .map((cells) => `${cells.map(written).join(',')}\r\n`)
    .join('');

/** Text that a spreadsheet would take for a formula gets an apostrophe: names come from specs and branches. */
function written(value: unknown) {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The column of a key, called like it. */
export const columnOf = <K extends string>(key: K): CsvColumn<{ readonly [key in K]?: unknown }> => [
  key,
  (row) => row[key],
];

/** A metric and its number, wherever it is of. */
const numberColumns: CsvColumn<{ metric: string; number: Metric }>[] = [
  ['metric', ({ metric }) => metric],
  ['unit', ({ number }) => number.unit],
  ['value', ({ number }) => number.value],
  ['count', ({ number }) => number.count],
  ['valid', ({ number }) => number.valid],
];

/**
 * The metrics of one record: of the whole case, of each group of requests, request and service, and what its script measured.
 */
export function recordCsv({ metrics, groups = {}, requests, services, script_metrics: own = {} }: BenchRecord): string {
  const parts = [
    { of: 'case', name: '', metrics },
    ...Object.entries(groups).map(([name, group]) => ({ of: 'group', name, metrics: group.metrics })),
    ...Object.entries(requests).map(([name, request]) => ({ of: 'request', name, metrics: request.metrics })),
    ...Object.entries(services).map(([name, service]) => ({ of: 'service', name, metrics: service.metrics })),
    ...Object.entries(own).map(([name, metric]) => ({
      of: metric.of === 'run' ? 'script, whole run' : 'script',
      name,
      metrics: metric.metrics,
    })),
  ];
  return csv(
    [
      ['of', ({ of }) => of],
      ['name', ({ name }) => name],
      ...numberColumns,
      ['reason', ({ number }) => number.reason],
      ['samples', ({ number }) => number.samples.join(' ')],
    ],
    parts.flatMap(({ of, name, metrics }) =>
      Object.entries(metrics).map(([metric, number]) => ({ of, name, metric, number })),
    ),
  );
}

/** The metrics of many cases, a line for each number. */
export function entriesCsv(entries: Entry[]): string {
  return csv(
    [
      ['version', ({ entry }) => entry.version],
      ['system', ({ entry }) => entry.system],
      ['environment', ({ entry }) => entry.environment],
      ['case', ({ entry }) => entry.case],
      ['time', ({ entry }) => entry.record.time],
      ...numberColumns,
    ],
    entries.flatMap((entry) =>
      Object.entries(entry.record.metrics).map(([metric, number]) => ({ entry, metric, number })),
    ),
  );
}

/** Cases for programs, each with the address of its record. */
export const entriesList = (entries: Entry[]): Record<string, unknown>[] =>
  entries.map((entry) => {
    const {
      version,
      kept,
      system,
      environment,
      case: name,
      record: { time, verdict },
      url,
    } = entry;
    return { version, kept, system, environment, case: name, time, verdict, record: `${url}.json` };
  });

/** The same with their numbers. */
export const entriesJson = (entries: Entry[]): Record<string, unknown>[] =>
  entriesList(entries).map((entry, i) => {
    const metrics = Object.entries(entries[i].record.metrics);
    const numbers = metrics.map(([metric, { unit, value, valid }]) => [metric, { unit, value, valid }]);
    return { ...entry, metrics: Object.fromEntries(numbers) };
  });

/**
 * The same with what it takes to set them beside those of another version: the lowest and the highest round, why a
 * number does not count, and whether the two are comparable.
 */
export const comparableJson = (entries: Entry[]): Record<string, unknown>[] =>
  entriesList(entries).map((entry, i) => {
    const { definition, player, fingerprint, imported, metrics } = entries[i].record;
    const environment = Object.fromEntries(essentials.map((key) => [key, fingerprint[key]]));
    const numbers = Object.entries(metrics).map(([metric, { unit, value, samples, valid, reason }]) => {
      const rounds = samples.filter((sample) => sample !== null);
      const spread = rounds.length > 1 ? { min: Math.min(...rounds), max: Math.max(...rounds) } : {};
      return [metric, { unit, value, ...spread, valid, ...(valid ? {} : { reason }) }];
    });
    return {
      ...entry,
      ...(imported && { imported: { format: imported.format } }),
      definition,
      ...(player && { player }),
      fingerprint: environment,
      metrics: Object.fromEntries(numbers),
    };
  });

/** Every record, a line each. */
export function listCsv(entries: Entry[]): string {
  const keys = ['version', 'kept', 'system', 'environment', 'case', 'time', 'verdict', 'record'];
  return csv(keys.map(columnOf), entriesList(entries));
}
