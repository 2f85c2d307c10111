import { unitOf } from '../../suite/cases/record-metrics.js';

/** @import { BenchRecord } from '../../../reports/schema/types.d.ts' */
/** @import { Key } from '../../../site/assets/js/latency-lines.js' */

/**
 * What a record knows over time.
 * @typedef {(number | null)[]} SeriesValues
 * @typedef {{ who: string, name: string, unit: string, values: SeriesValues }} TimeSeries who: '' for the whole case;
 *   name: what titles and units are looked up by
 */

/**
 * The series of that name: of the case, of each of its services, of each of its requests, or of a query.
 * @param {BenchRecord} record
 * @param {string} name
 * @param {string} [by] "request"; "script": the numbers of what a script measures itself under that name
 * @returns {TimeSeries[]} none when the record has not that
 */
export const seriesOf = (record, name, by) =>
  allOf(record, name, by).filter(({ values }) => values.some((value) => value !== null));

/**
 * @param {BenchRecord} record
 * @param {string} name
 * @param {string} [by]
 * @returns {TimeSeries[]}
 */
function allOf({ timeline, metrics, script_metrics: own = {} }, name, by) {
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

/**
 * @param {Record<string, object> | undefined} parts series by name, of each
 * @param {string} name
 * @param {string} unit
 * @returns {TimeSeries[]}
 */
const partsOf = (parts = {}, name, unit) =>
  Object.entries(parts).flatMap(([who, part]) => {
    const values = /** @type {Record<string, unknown>} */ (part)[name];
    return Array.isArray(values) ? [{ who, name, unit, values }] : [];
  });

/**
 * What is shaded: the time that is not measured, and faults.
 * @param {BenchRecord[]} records drawn on one axis
 * @returns {{ from: number, to: number, kind: 'excluded' | 'fault' }[]}
 */
export function spansOf(records) {
  const spans = records.flatMap(({ timeline }) => {
    if (!timeline?.t?.length) return [];
    const last = timeline.t[timeline.t.length - 1];
    const [from, to] = timeline.phase_steady ?? [0, last];
    const faults = (timeline.faults ?? []).map(([begin, end]) => ({
      from: begin,
      to: end,
      kind: /** @type {const} */ ('fault'),
    }));
    return [
      ...(from > 0 ? [{ from: 0, to: from, kind: /** @type {const} */ ('excluded') }] : []),
      ...(to < last ? [{ from: to, to: last, kind: /** @type {const} */ ('excluded') }] : []),
      ...faults,
    ];
  });
  return [...new Map(spans.map((span) => [JSON.stringify(span), span])).values()];
}

/**
 * @param {{ kind: string }[]} spans
 * @returns {Key[]}
 */
export const spanKey = (spans) => [
  ...(spans.some(({ kind }) => kind === 'excluded') ? [{ slot: 'excluded', text: 'not measured' }] : []),
  ...(spans.some(({ kind }) => kind === 'fault') ? [{ slot: 'fault', text: 'fault' }] : []),
];
