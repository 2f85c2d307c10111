import type { BenchRecord, Timeline } from '../../../reports/schema/types.d.ts';
import { formatDuration, formatInUnit, formatNumber, formatPlain } from '../../base/format.js';
import type { Entry } from '../collect/collect-record.js';
import { allRounded, type Chart, slotOf } from './chart.js';
import type { Columns } from './draw.js';
import { spanKey, spansOf } from './over-time.js';
import { columnsOf } from './points.js';

type TimelineValues = (number | null)[];

type Named = { who: string; values: TimelineValues };

/** A table beside a chart is for reading aloud; the record has every second. */
const mostRows = 12;

/**
 * The first round over time: what was answered, how fast, and what CPU it took.
 * @returns null: the record has no timeline
 */
export function timeline({ record }: Entry): Chart | null {
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

const loads = (line: Timeline): Named[] => [
  line.throughput_rps.some((value) => value !== null) || !line.iterations_rps
    ? { who: 'answered as expected', values: line.throughput_rps }
    : { who: 'iterations', values: line.iterations_rps },
  { who: 'errors', values: line.errors_rps },
  { who: 'dropped', values: line.dropped_rps },
];

/** Zero has no place on a log scale. */
const latencies = (line: Timeline): Named[] =>
  (['p50', 'p95', 'p99'] as const).map((p) => ({ who: p, values: line[`latency_ms_${p}`].map(positive) }));

const processes = ({ services, k6 }: Timeline): Named[] =>
  [...Object.entries(services), ['k6', k6] as const].map(([who, { cpu_ratio: values }]) => ({
    who,
    values,
  }));

const isPositive = (value: number | null) => value !== null && value > 0;

const positive = (value: number | null) => (isPositive(value) ? value : null);

/** @param from the first line's place in the palette, counted from 0 */
const linesOf = (named: Named[], field: string, t: number[], from: number = 0): Columns[] =>
  named
    .filter(({ values }) => values.length)
    .map(({ who, values }, i) => ({ slot: slotOf(from + i), who, t, [field]: allRounded(values) }));

function tableOf(line: Timeline) {
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
 * @returns "round 2 was the slowest: p95 170 ms, in the first 60 ms"; "" without one
 */
function slowestRound({ metrics }: Pick<BenchRecord, 'metrics'>): string {
  const { samples = [], unit } = metrics.latency_ms_p95 ?? {};
  const [first] = samples;
  if (unit === undefined || typeof first !== 'number') return '';
  const worst = Math.max(...samples.map((value) => value ?? 0));
  if (worst <= muchSlower * first) return '';
  const [slow, shown] = [worst, first].map((value) => formatInUnit(value, unit));
  return `round ${samples.indexOf(worst) + 1} was the slowest: p95 ${slow}, in the first ${shown}`;
}
