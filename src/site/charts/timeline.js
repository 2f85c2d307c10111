import { formatDuration, formatInUnit, formatNumber, formatPlain } from '../../base/format.js';
import { allRounded, slotOf } from './chart.js';
import { spanKey, spansOf } from './over-time.js';
import { columnsOf } from './points.js';

/** @import { BenchRecord, Timeline } from '../../../reports/schema/types.d.ts' */
/** @import { Entry } from '../collect/collect-record.js' */
/** @import { Chart } from './chart.js' */
/** @import { Columns } from './draw.js' */

/**
 * @typedef {(number | null)[]} TimelineValues
 * @typedef {{ who: string, values: TimelineValues }} Named
 */

/** A table beside a chart is for reading aloud; the record has every second. */
const mostRows = 12;

/**
 * The first round over time: what was answered, how fast, and what CPU it took.
 * @param {Entry} entry
 * @returns {Chart | null} null: the record has no timeline
 */
export function timeline({ record }) {
  const line = record.timeline;
  if (!line?.t?.length) return null;
  const load = linesOf(loads(line), 'rps', line.t).filter(({ slot, rps }) => slot === 1 || rps.some(isPositive));
  const latency = linesOf(latencies(line), 'latency', line.t);
  // Colours of their own: the panels share one key.
  const cpu = linesOf(processes(line), 'cores', line.t, latency.length);
  const [from, to] = line.phase_steady ?? [0, line.t.at(-1)];
  const spans = spansOf([record]);
  const faults = spans
    .filter(({ kind }) => kind === 'fault')
    .map((span) => `${formatDuration(span.from)} to ${formatDuration(span.to)}`);
  const slowest = slowestRound(record);
  return {
    file: 'timeline',
    title: 'The first round over time',
    note: slowest,
    summary: `Responses per second, latency and CPU in steps of ${formatDuration(line.step_s)}; measured from ${formatDuration(
      from,
    )} to ${formatDuration(to)}${faults.length ? `; faults from ${faults.join(', ')}` : ''}${slowest ? `; ${slowest}` : ''}.`,
    key: [
      ...load.slice(1).map(({ slot, who }) => ({ slot: slot === 2 ? 'limit' : 'base', text: who })),
      ...latency.map(({ slot, who }) => ({ slot, text: `${who} latency` })),
      ...cpu.map(({ slot, who }) => ({ slot, text: `${who} CPU` })),
      ...spanKey(spans),
    ],
    data: { spans: spans.length ? [columnsOf(spans)] : [], load, latency, cpu },
    table: tableOf(line),
  };
}

/** @param {Timeline} line @returns {Named[]} */
const loads = (line) => [
  line.throughput_rps.some((value) => value !== null) || !line.iterations_rps
    ? { who: 'answered as expected', values: line.throughput_rps }
    : { who: 'iterations', values: line.iterations_rps },
  { who: 'errors', values: line.errors_rps },
  { who: 'dropped', values: line.dropped_rps },
];

/** Zero has no place on a log scale. @param {Timeline} line @returns {Named[]} */
const latencies = (line) =>
  /** @type {const} */ (['p50', 'p95', 'p99']).map((p) => ({ who: p, values: line[`latency_ms_${p}`].map(positive) }));

/** @param {Timeline} line @returns {Named[]} */
const processes = ({ services, k6 }) =>
  [...Object.entries(services), /** @type {const} */ (['k6', k6])].map(([who, { cpu_ratio: values }]) => ({
    who,
    values,
  }));

/** @param {number | null} value */
const isPositive = (value) => value !== null && value > 0;

/** @param {number | null} value */
const positive = (value) => (isPositive(value) ? value : null);

/**
 * @param {Named[]} named
 * @param {string} field
 * @param {number[]} t
 * @param {number} [from] the first line's place in the palette, counted from 0
 * @returns {Columns[]}
 */
const linesOf = (named, field, t, from = 0) =>
  named
    .filter(({ values }) => values.length)
    .map(({ who, values }, i) => ({ slot: slotOf(from + i), who, t, [field]: allRounded(values) }));

/** @param {Timeline} line */
function tableOf(line) {
  const columns = [
    { who: 'responses/s', values: line.throughput_rps },
    ...latencies(line).map(({ who, values }) => ({ who: `${who}, ms`, values })),
    ...processes(line).map(({ who, values }) => ({ who: `${who}, cores`, values })),
  ];
  const every = Math.ceil(line.t.length / mostRows);
  const rows = [];
  for (let i = 0; i < line.t.length; i += every) {
    rows.push([formatPlain(line.t[i]), ...columns.map(({ values }) => formatNumber(values[i]))]);
  }
  return { head: ['second', ...columns.map(({ who }) => who)], rows };
}

/** A round is worth a word that was so many times slower than the one that is shown. */
const muchSlower = 1.5;

/**
 * Which round was much slower than the first, which is the one whose course is drawn.
 * @param {Pick<BenchRecord, 'metrics'>} record
 * @returns {string} "round 2 was the slowest: p95 170 ms, in the first 60 ms"; "" without one
 */
function slowestRound({ metrics }) {
  const { samples = [], unit } = metrics.latency_ms_p95 ?? {};
  const [first] = samples;
  if (unit === undefined || typeof first !== 'number') return '';
  const worst = Math.max(...samples.map((value) => value ?? 0));
  if (worst <= muchSlower * first) return '';
  const [slow, shown] = [worst, first].map((value) => formatInUnit(value, unit));
  return `round ${samples.indexOf(worst) + 1} was the slowest: p95 ${slow}, in the first ${shown}`;
}
