import type { Series, Timeline } from '../../../reports/schema/types.d.ts';
import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import { formatDuration, printOf } from '../../base/format.js';
import type { Entry } from '../collect/collect-record.js';
import { allRounded, type Chart, slotOf } from './chart.js';
import { spanKey, spansOf } from './over-time.js';
import { columnsOf } from './points.js';
import { threeOf, timeCharts } from './time.js';

type ResourceValues = (number | null)[];

type ResourceLine = { panel: string; field: string; factor: number; who: string; values: ResourceValues };

/**
 * What the first round took beside CPU: users, network, memory.
 * @returns null: the record has no timeline
 */
export function resources({ record }: Entry): Chart | null {
  const { timeline } = record;
  if (!timeline?.t?.length) return null;
  const lines = linesOf(timeline).filter(({ values }) => values.some((value) => value !== null));
  const panels = ['users', 'network', 'memory'].filter((name) => lines.some(({ panel }) => panel === name));
  if (!panels.includes('memory')) return null; // it has the axis of all
  const what = panels.join(', ').replace(/^./, (first) => first.toUpperCase());
  const spans = spansOf([record]);
  const rows = lines.map(rowOf);
  return {
    file: 'resources',
    title: `${what} over time`,
    summary: `${what} of the first round in steps of ${formatDuration(timeline.step_s)}: ${rows
      .map(([who, low, , high]) => `${who} ${low} to ${high}`)
      .join('; ')}.`,
    key: [
      ...lines.filter(({ panel }) => panel !== 'users').map(({ who }, i) => ({ slot: slotOf(i), text: who })),
      ...spanKey(spans),
    ],
    patch: { panels },
    data: {
      spans: spans.length ? [columnsOf(spans)] : [],
      ...Object.fromEntries(panels.map((name) => [name, columnSets(name, lines, timeline.t)])),
    },
    table: { head: ['', 'lowest', 'middle', 'highest'], rows },
  };
}

const linesOf = ({ users, services, machine = {}, ...k6 }: Timeline): ResourceLine[] => [
  ...(isFlat(users) ? [] : [{ panel: 'users', field: 'count', factor: 1, who: 'users at work', values: users }]),
  ...(
    [
      ['received by k6', k6.received_bytes_per_second],
      ['sent by k6', k6.sent_bytes_per_second],
      ['into the machine', machine.network_rx_bytes_per_second],
      ['out of the machine', machine.network_tx_bytes_per_second],
    ] as [string, Series | undefined][]
  ).map(([who, values = []]) => ({ panel: 'network', field: 'rate', factor: 1e-6, who, values })),
  ...Object.entries(services).map(([name, { memory_bytes: values }]) => ({
    panel: 'memory',
    field: 'megabytes',
    factor: 1e-6,
    who: `${name} memory`,
    values,
  })),
];

/** A line that never moves is a number, and stands among the metrics. */
const isFlat = (values: ResourceValues = []) => new Set(values.filter((value) => value !== null)).size === 1;

/**
 * The panels share one key: a colour stands for one line in all of them.
 * @param name of a panel
 */
const columnSets = (name: string, lines: ResourceLine[], t: number[]) =>
  lines
    .filter(({ panel }) => (panel === 'users') === (name === 'users'))
    .map((line, i) => ({ ...line, slot: slotOf(i) }))
    .filter(({ panel }) => panel === name)
    .map(({ slot, who, field, values, factor }) => ({
      slot,
      who,
      t,
      [field]: allRounded(values.map((value) => (value === null ? null : value * factor))),
    }));

function rowOf({ who, panel, values }: ResourceLine) {
  const print = printOf({ users: '1', network: 'bytes/s', memory: 'bytes' }[panel] ?? '1', values);
  return [[who, print.unit].filter(Boolean).join(', '), ...threeOf(values, print)];
}

/** What some records have over time beside that: each request, what its script measures, and what Prometheus was asked. */
export function moreOverTime(entry: Entry, names: MetricNames): Chart[] {
  const { timeline } = entry.record;
  const requests =
    Object.keys(timeline?.requests ?? {}).length > 1
      ? [{ title: 'Requests over time', y: 'requests_rps', by: 'request' }]
      : [];
  const queries = Object.keys(timeline?.queries ?? {}).map((name) => ({ title: names.titleOf(name), y: name }));
  const own = Object.keys(timeline?.script ?? {}).map((name) => ({
    title: `${name} over time`,
    y: name,
    by: 'script',
  }));
  return [...requests, ...own, ...queries].flatMap((wish) => timeCharts(wish, [entry], names, () => ''));
}
