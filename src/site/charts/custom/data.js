import { overTime } from '../../../suite/vega-lite/rules.js';
import { allRounded, rounded } from '../chart.js';
import { seriesOf, spansOf } from '../over-time.js';
import { columnsOf, isDrawable } from '../points.js';
import { hasLatencies, quantilesOf } from '../quantiles-chart.js';

/** @import { BenchRecord } from '../../../../reports/schema/types.d.ts' */
/** @import { Entry } from '../../collect/collect-record.js' */

/**
 * The datasets that a chart file of a spec may name, in columns. Numbers are in the units of records: a metric's name
 * says its unit.
 * @typedef {Record<string, unknown>} Columns
 * @typedef {(entry: Entry, metrics: string[], place: Columns) => Columns[]} Maker place: which case it is
 */

/**
 * @param {string[]} datasets
 * @param {Entry[]} entries
 * @param {string[]} metrics
 * @param {(entry: Entry) => Columns} placeOf
 * @returns {Record<string, Columns[]>}
 */
export const ownData = (datasets, entries, metrics, placeOf) =>
  Object.fromEntries(
    datasets.map((name) => [name, entries.flatMap((entry) => makers[name](entry, metrics, placeOf(entry)))]),
  );

/** @type {Record<string, Maker>} */
const makers = {
  cases: ({ record }, metrics, identity) => [
    {
      ...identity,
      ...metricColumns(
        metrics,
        (name) => record.metrics[name]?.unit,
        (name) => (isDrawable(record.metrics[name]) ? rounded(record.metrics[name].value) : null),
      ),
    },
  ],
  samples: ({ record }, metrics, identity) => {
    const rounds = Math.max(0, ...metrics.map((name) => record.metrics[name]?.samples.length ?? 0));
    const round = Array.from({ length: rounds }, (_, i) => i + 1);
    return [
      {
        ...identity,
        round,
        ...metricColumns(
          metrics,
          (name) => record.metrics[name]?.unit,
          (name) =>
            isDrawable(record.metrics[name])
              ? round.map((n) => rounded(record.metrics[name].samples[n - 1] ?? null))
              : null,
        ),
      },
    ];
  },
  timeline: ({ record }, metrics, identity) => {
    const { t = [], phase_steady: [from, to] = [t[0], t.at(-1)] } = record.timeline ?? {};
    const lines = metrics.flatMap((name) => courseOf(record, name));
    const measured = t.map((at) => at >= from && at <= to);
    return [...new Set(lines.map(({ who }) => who))].map((who) => {
      const lineOf = (/** @type {string} */ name) => lines.find((line) => line.who === who && line.name === name);
      return {
        ...identity,
        of: who,
        t,
        measured,
        ...metricColumns(
          metrics,
          (name) => lineOf(name)?.unit,
          (name) => {
            const line = lineOf(name);
            return line ? allRounded(line.values) : null;
          },
        ),
      };
    });
  },
  spans: ({ record }, _, identity) => {
    const spans = spansOf([record]);
    return spans.length ? [{ ...identity, ...columnsOf(spans) }] : [];
  },
  quantiles: (entry, _, identity) => {
    if (!hasLatencies(entry)) return [];
    const { p, latency } = quantilesOf(entry);
    return [{ ...identity, p, latency_ms: latency }];
  },
};

/**
 * A metric over time: requests a second are known of each request by itself, the rest of the case or its services.
 * @param {BenchRecord} record
 * @param {string} name
 */
export const courseOf = (record, name) => seriesOf(record, name, name === 'requests_rps' ? 'request' : undefined);

/**
 * The units of a metric in the records that have it.
 * @param {string} name
 * @param {Entry[]} entries
 * @param {string[]} datasets
 * @returns {string[]} none: no record has it where the chart would look for it
 */
export const unitsOf = (name, entries, datasets) => [
  ...new Set(
    entries.flatMap(({ record }) => [
      ...(datasets.some((dataset) => dataset === 'cases' || dataset === 'samples')
        ? [record.metrics[name]?.unit ?? []].flat()
        : []),
      ...(datasets.includes(overTime) ? courseOf(record, name).map(({ unit }) => unit) : []),
    ]),
  ),
];

/**
 * @param {string[]} metrics
 * @param {(name: string) => string | undefined} unitOf
 * @param {(name: string) => unknown} valuesOf
 * @returns {Columns}
 */
const metricColumns = (metrics, unitOf, valuesOf) =>
  Object.fromEntries(
    metrics.flatMap((name) => [
      [name, valuesOf(name)],
      [`${name}_unit`, unitOf(name) ?? null],
    ]),
  );
