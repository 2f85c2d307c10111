import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import { formatAs, formatDuration, inColumn, type Print } from '../../base/format.js';
import type { Entry } from '../collect/collect-record.js';
import type { ChartSpec } from '../collect/declared-parts.js';
import { headingOf } from '../model/metric-names.js';
import { groupBy } from '../model/series.js';
import { allRounded, type Chart, namesOf, slotOf } from './chart.js';
import { joined, lineNamer } from './line-labels.js';
import { seriesOf, spanKey, spansOf, type TimeSeries } from './over-time.js';
import { columnsOf } from './points.js';
import { referenceLineOf } from './reference-line.js';

type TimeLine = TimeSeries & { entry: Entry; text: string };

/**
 * What cases did over time, as a spec declares it. Each unit has a chart of its own, one above the other.
 * @returns none when no record has any of it
 */
export function timeCharts(
  wish: ChartSpec & { y: string | string[] },
  entries: Entry[],
  names: MetricNames,
  nameOf: (entry: Entry) => string,
): Chart[] {
  const metricNames = [wish.y].flat();
  const lineOf = lineNamer({ series: wish.series }, entries, nameOf);
  const lines = entries.flatMap((entry) =>
    metricNames.flatMap((name) =>
      seriesOf(entry.record, name, wish.by).map((series) => ({
        ...series,
        entry,
        text: joined(lineOf(entry), series.who, metricNames.length > 1 ? names.titleOf(name) : ''),
      })),
    ),
  );
  const panels = [...groupBy(lines, ({ unit }) => unit).values()];
  return panels.map((inside, i) =>
    panelOf({ ...wish, reference_line: i ? undefined : wish.reference_line }, inside, panels.length > 1, names),
  );
}

/**
 * @param lines of one unit
 * @param several whether there are other units
 */
function panelOf(wish: ChartSpec, lines: TimeLine[], several: boolean, names: MetricNames): Chart {
  const [{ name, unit }] = lines;
  const print = names.printOf(
    name,
    unit,
    lines.flatMap(({ values }) => values),
  );
  const isOne = lines.every((line) => line.name === name);
  const heading = isOne ? headingOf(names, name, print.unit) : unit === 'ms' ? 'latency, ms' : print.unit;
  const isLog = name.startsWith('latency_ms');
  const title = wish.title ?? (isOne ? names.titleOf(name) : heading);
  const spans = spansOf([...new Set(lines.map(({ entry }) => entry.record))]);
  const { key, rules } = referenceLineOf(wish, print);
  const table = tableOf(lines, print);
  const lineKey = lines.length > 1 ? lines.map(({ text }, i) => ({ slot: slotOf(i), text })) : [];
  return {
    file: 'time',
    title: several ? `${title}: ${isOne ? names.titleOf(name) : heading}` : title,
    summary: `${heading} over time, in steps of ${formatDuration(Number(lines[0].entry.record.timeline?.step_s))}; ${table
      .map(([who, low, middle, high]) => `${who}: ${low} to ${high}, in the middle ${middle}`)
      .join('; ')}.`,
    key: [...lineKey, ...key, ...spanKey(spans)],
    patch: { fields: { v: { title: isLog ? `${heading} (logarithmic)` : heading, ...(isLog && logarithmic) } } },
    data: {
      spans: spans.length ? [columnsOf(spans)] : [],
      lines: lines.map(({ entry, text, values }, i) => ({
        slot: slotOf(i),
        who: text,
        t: entry.record.timeline?.t,
        v: allRounded(values.map((value) => (value === null || (isLog && value <= 0) ? null : value * print.factor))),
      })),
      rules,
      names: namesOf(lines.map(({ text }) => text)),
    },
    table: { head: [heading, 'lowest', 'middle', 'highest'], rows: table },
  };
}

/** Ticks as in latency-distribution.vl.json. */
const logarithmic = {
  scale: { type: 'log', nice: false, padding: 6 },
  axis: {
    values: {
      expr: "domain('y')[1] / domain('y')[0] > 100 ? [0.01, 0.1, 1, 10, 100, 1000, 1e4, 1e5] : [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5]",
    },
  },
};

/** The lowest, the middle and the highest value of each line. */
export const tableOf = (lines: Pick<TimeLine, 'text' | 'values'>[], print: Print): string[][] =>
  lines.map(({ text, values }) => [text || 'over the whole time', ...threeOf(values, print)]);

/**
 * The lowest, the middle and the highest of values over time.
 * @returns as printed
 */
export function threeOf(values: (number | null)[], print: Print): string[] {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  const three = known.length
    ? [known[0], known[Math.floor(known.length / 2)], known[known.length - 1]]
    : [null, null, null];
  const column = inColumn(print, three);
  return three.map((value) => formatAs(value, column));
}
