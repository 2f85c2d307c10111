import type { BenchRecord } from '../../../../reports/schema/types.d.ts';
import { overTime } from '../../../suite/vega-lite/rules.js';
import type { Entry } from '../../collect/collect-record.js';
import { allRounded, rounded } from '../chart.js';
import { seriesOf, spansOf } from '../over-time.js';
import { columnsOf, isDrawable } from '../points.js';
import { hasLatencies, quantilesOf } from '../quantiles-chart.js';

/**
 * The datasets that a chart file of a spec may name, in columns. Numbers are in the units of records: a metric's name
 * says its unit.
 */
type Columns = Record<string, unknown>;

/** place: which case it is */
type Maker = (entry: Entry, metrics: string[], place: Columns) => Columns[];

export const ownData = (
  datasets: string[],
  entries: Entry[],
  metrics: string[],
  placeOf: (entry: Entry) => Columns,
): Record<string, Columns[]> =>
  Object.fromEntries(
    datasets.map((name) => [name, entries.flatMap((entry) => makers[name](entry, metrics, placeOf(entry)))]),
  );

const makers: Record<string, Maker> = {
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
      const lineOf = (name: string) => lines.find((line) => line.who === who && line.name === name);
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

/** A metric over time: requests a second are known of each request by itself, the rest of the case or its services. */
export const courseOf = (record: BenchRecord, name: string) =>
  seriesOf(record, name, name === 'requests_rps' ? 'request' : undefined);

/**
 * The units of a metric in the records that have it.
 * @returns none: no record has it where the chart would look for it
 */
export const unitsOf = (name: string, entries: Entry[], datasets: string[]): string[] => [
  ...new Set(
    entries.flatMap(({ record }) => [
      ...(datasets.some((dataset) => dataset === 'cases' || dataset === 'samples')
        ? [record.metrics[name]?.unit ?? []].flat()
        : []),
      ...(datasets.includes(overTime) ? courseOf(record, name).map(({ unit }) => unit) : []),
    ]),
  ),
];

const metricColumns = (
  metrics: string[],
  unitOf: (name: string) => string | undefined,
  valuesOf: (name: string) => unknown,
): Columns =>
  Object.fromEntries(
    metrics.flatMap((name) => [
      [name, valuesOf(name)],
      [`${name}_unit`, unitOf(name) ?? null],
    ]),
  );
