import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import { essentials } from '../../../site/assets/js/comparable.js';
import type { Entry } from '../collect/collect-record.js';

/**
 * @param rows null is an empty cell
 * @returns CSV after RFC 4180
 */
export const csv = (head: string[], rows: unknown[][]): string =>
  [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/** Text that a spreadsheet would take for a formula gets an apostrophe: names come from specs and branches. */
function cell(value: unknown) {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

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
  const rows = parts.flatMap((part) =>
    Object.entries(part.metrics).map(([metric, value]) => [
      part.of,
      part.name,
      metric,
      value.unit,
      value.value,
      value.count,
      value.valid,
      value.reason,
      value.samples.join(' '),
    ]),
  );
  return csv(['of', 'name', 'metric', 'unit', 'value', 'count', 'valid', 'reason', 'samples'], rows);
}

/** The metrics of many cases, a line for each number. */
export function entriesCsv(entries: Entry[]): string {
  const rows = entries.flatMap(({ version, system, environment, case: name, record }) =>
    Object.entries(record.metrics).map(([metric, { unit, value, count, valid }]) => [
      version,
      system,
      environment,
      name,
      record.time,
      metric,
      unit,
      value,
      count,
      valid,
    ]),
  );
  return csv(['version', 'system', 'environment', 'case', 'time', 'metric', 'unit', 'value', 'count', 'valid'], rows);
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
  const columns = ['version', 'kept', 'system', 'environment', 'case', 'time', 'verdict', 'record'];
  return csv(
    columns,
    entriesList(entries).map((entry) => columns.map((column) => entry[column])),
  );
}
