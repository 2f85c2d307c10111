import { formatDuration, printOf } from '../../base/format.js';
import { allRounded, slotOf } from './chart.js';
import { spanKey, spansOf } from './over-time.js';
import { columnsOf } from './points.js';
import { threeOf, timeCharts } from './time.js';

/** @import { Series, Timeline } from '../../../reports/schema/types.d.ts' */
/** @import { MetricNames } from '../../../site/assets/js/metric-names.js' */
/** @import { Entry } from '../collect/collect-record.js' */
/** @import { Chart } from './chart.js' */

/**
 * @typedef {(number | null)[]} ResourceValues
 * @typedef {{ panel: string, field: string, factor: number, who: string, values: ResourceValues }} ResourceLine
 */

/**
 * What the first round took beside CPU: users, network, memory.
 * @param {Entry} entry
 * @returns {Chart | null} null: the record has no timeline
 */
export function resources({ record }) {
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

/** @param {Timeline} timeline @returns {ResourceLine[]} */
const linesOf = ({ users, services, machine = {}, ...k6 }) => [
  ...(isFlat(users) ? [] : [{ panel: 'users', field: 'count', factor: 1, who: 'users at work', values: users }]),
  .../** @type {[string, Series | undefined][]} */ ([
    ['received by k6', k6.received_bytes_per_second],
    ['sent by k6', k6.sent_bytes_per_second],
    ['into the machine', machine.network_rx_bytes_per_second],
    ['out of the machine', machine.network_tx_bytes_per_second],
  ]).map(([who, values = []]) => ({ panel: 'network', field: 'rate', factor: 1e-6, who, values })),
  ...Object.entries(services).map(([name, { memory_bytes: values }]) => ({
    panel: 'memory',
    field: 'megabytes',
    factor: 1e-6,
    who: `${name} memory`,
    values,
  })),
];

/** A line that never moves is a number, and stands among the metrics. @param {ResourceValues} [values] */
const isFlat = (values = []) => new Set(values.filter((value) => value !== null)).size === 1;

/**
 * The panels share one key: a colour stands for one line in all of them.
 * @param {string} name of a panel
 * @param {ResourceLine[]} lines
 * @param {number[]} t
 */
const columnSets = (name, lines, t) =>
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

/** @param {ResourceLine} line */
function rowOf({ who, panel, values }) {
  const print = printOf({ users: '1', network: 'bytes/s', memory: 'bytes' }[panel] ?? '1', values);
  return [[who, print.unit].filter(Boolean).join(', '), ...threeOf(values, print)];
}

/**
 * What some records have over time beside that: each request, what its script measures, and what Prometheus was asked.
 * @param {Entry} entry
 * @param {MetricNames} names
 * @returns {Chart[]}
 */
export function moreOverTime(entry, names) {
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
