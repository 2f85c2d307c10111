import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import type { Key } from '../../../site/assets/js/latency-lines.js';
import { unitOf } from '../../suite/cases/record-metrics.js';

/** What a record knows over time. */
type SeriesValues = (number | null)[];

/** who: '' for the whole case; name: the key of titles and units */
export type TimeSeries = { who: string; name: string; unit: string; values: SeriesValues };

/**
 * The series of that name: of the case, of each of its services, of each of its requests, or of a query.
 * @param by "request"; "script": the numbers of what a script measures itself under that name
 * @returns none when the record has not that
 */
export const seriesOf = (record: BenchRecord, name: string, by?: string): TimeSeries[] =>
  allOf(record, name, by).filter(({ values }) => values.some((value) => value !== null));

function allOf({ timeline, metrics, script_metrics: own = {} }: BenchRecord, name: string, by?: string): TimeSeries[] {
  if (!timeline?.t?.length) return [];
  if (by === 'script') {
    return Object.entries(timeline.script?.[name] ?? {}).map(([who, values]) => ({
      who: who.replace('_', ' '),
      name,
      unit: own[name]?.metrics[who]?.unit ?? (who === 'per_second' ? '1/s' : '1'),
      values,
    }));
  }
  const unit = unitOf(name);
  if (by === 'request') return partsOf(timeline.requests, name, unit);
  if (Array.isArray(timeline.queries?.[name])) {
    return [{ who: '', name, unit: metrics[name]?.unit ?? '1', values: timeline.queries[name] }];
  }
  const { t, phase_steady, faults, services, machine = {}, requests, script, queries, ...whole } = timeline;
  const ofCase = partsOf({ '': whole }, name, unit);
  return ofCase.length ? ofCase : [...partsOf(services, name, unit), ...partsOf({ machine }, name, unit)];
}

/** @param parts series by name, of each */
const partsOf = (parts: Record<string, object> | undefined = {}, name: string, unit: string): TimeSeries[] =>
  Object.entries(parts).flatMap(([who, part]) => {
    const values = (part as Record<string, unknown>)[name];
    return Array.isArray(values) ? [{ who, name, unit, values }] : [];
  });

/**
 * What is shaded: the time that is not measured, and faults.
 * @param records drawn on one axis
 */
export function spansOf(records: BenchRecord[]): { from: number; to: number; kind: 'excluded' | 'fault' }[] {
  const spans = records.flatMap(({ timeline }) => {
    if (!timeline?.t?.length) return [];
    const last = timeline.t[timeline.t.length - 1];
    const [from, to] = timeline.phase_steady ?? [0, last];
    const faults = (timeline.faults ?? []).map(([begin, end]) => ({
      from: begin,
      to: end,
      kind: 'fault' as const,
    }));
    return [
      ...(from > 0 ? [{ from: 0, to: from, kind: 'excluded' as const }] : []),
      ...(to < last ? [{ from: to, to: last, kind: 'excluded' as const }] : []),
      ...faults,
    ];
  });
  return [...new Map(spans.map((span) => [JSON.stringify(span), span])).values()];
}

export const spanKey = (spans: { kind: string }[]): Key[] => [
  ...(spans.some(({ kind }) => kind === 'excluded') ? [{ slot: 'excluded', text: 'not measured' }] : []),
  ...(spans.some(({ kind }) => kind === 'fault') ? [{ slot: 'fault', text: 'fault' }] : []),
];
