import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import type { Print } from '../../base/format.js';
import type { Value } from '../../suite/cases/sweep.js';
import type { Entry } from '../collect/collect-record.js';
import type { ChartSpec } from '../collect/declared-parts.js';
import { Rejected } from '../collect/spec-problem.js';
import { headingOf } from '../model/metric-names.js';
import { requestsApart } from '../model/request-numbers.js';
import { groupBy, valuesText } from '../model/series.js';
import { dimensionValue, placeText } from '../model/shown-cases.js';
import { type Chart, namesOf, slotOf } from './chart.js';
import { joined, lineNamer, places } from './line-labels.js';
import { columnsOf, type Extent, extentOf, isDrawable } from './points.js';
import { referenceLineOf } from './reference-line.js';
import { sweepPatch } from './sweep-patch.js';

type Point = Extent & { x: Value; who: string; page: string };

export type SweepLine = { text: string; points: Point[] };

/**
 * Metrics against a swept parameter, another metric, or (in bars) environments or scenarios, as a spec declares it.
 * @param cases to draw
 * @param nameOf a version's name
 * @returns null: fewer than two points
 * @throws {Rejected} numbers of two units
 */
export function sweep(
  wish: ChartSpec & { x: string; y: string | string[] },
  cases: Entry[],
  names: MetricNames,
  nameOf: (entry: Entry) => string,
): Chart | null {
  const entries = wish.by === 'request' ? requestsApart(cases) : cases;
  const metrics = [wish.y].flat();
  const title = wish.title ?? `${metrics.map(names.titleOf).join(', ')} by ${names.titleOf(wish.x)}`;
  const unit = oneUnit(
    entries.flatMap(({ record }) =>
      metrics.filter((name) => record.metrics[name]).map((name) => ({ name, unit: record.metrics[name].unit })),
    ),
    title,
  );
  const print = names.printOf(metrics[0], unit, valuesIn(metrics, entries));
  const x = printOfX(wish.x, entries, names);
  const lines = linesOf(wish, metrics, entries, { names, nameOf, print, x });
  const points = lines.flatMap((line) => line.points);
  if (points.length < 2) return null;
  const isPlace = places.includes(wish.x);
  if (wish.reference_line === 'x=y' && points.some(({ x }) => typeof x !== 'number')) {
    throw new Rejected(`the chart "${title}" has reference_line = "x=y", and its x is not a number`);
  }
  const yTitle = yTitleOf(metrics, print.unit, names);
  const xTitle = isPlace ? null : headingOf(names, wish.x, x.unit);
  const { key, ...referenceLine } = referenceLineOf(
    wish,
    print,
    points.map(({ x }) => Number(x)),
  );
  return {
    file: 'sweep',
    title,
    note: noteOf(metrics, entries),
    summary: `${yTitle} by ${xTitle ?? wish.x}: ${points.map(({ who, value }) => `${who}: ${value}`).join('; ')}.`,
    key: [...(lines.length > 1 ? lines.map(({ text }, i) => ({ slot: slotOf(i), text })) : []), ...key],
    patch: sweepPatch(wish, lines, { x: xTitle, y: yTitle }),
    data: {
      frame: [{ at: [0] }],
      points: lines.map((line, i) => ({ slot: slotOf(i), to: '{page}', ...columnsOf(line.points) })),
      ...referenceLine,
      names: namesOf(lines.map(({ text }) => text)),
    },
    table: {
      head: [xTitle ?? wish.x, ...(lines.length > 1 ? ['line'] : []), yTitle, 'rounds'],
      rows: lines.flatMap(({ text, points: inside }) =>
        inside.map(({ x, value, range }) => [String(x), ...(lines.length > 1 ? [text] : []), value, range]),
      ),
    },
  };
}

function yTitleOf(metrics: string[], unit: string, names: MetricNames) {
  if (metrics.length === 1) return headingOf(names, metrics[0], unit);
  return metrics.every((name) => name.startsWith('latency_ms')) ? 'latency, ms' : unit;
}

const valuesIn = (metrics: string[], entries: Entry[]) =>
  entries
    .flatMap(({ record }) => metrics.map((name) => record.metrics[name]).filter(isDrawable))
    .map(({ value }) => value);

/** @param name a swept parameter, or a metric */
const printOfX = (name: string, entries: Entry[], names: MetricNames) =>
  names.printOf(
    name,
    entries.find(({ record }) => record.metrics[name])?.record.metrics[name].unit ?? '1',
    valuesIn([name], entries),
  );

/**
 * Lines that are not drawn are named.
 * @returns '' when all counts
 */
export function noteOf(metrics: string[], entries: Entry[]): string {
  const out = entries.filter(({ record }) => metrics.some((metric) => record.metrics[metric]?.valid === false));
  if (!out.length) return '';
  return `⊘ Left out, for it does not count: ${out.map((entry) => valuesText(entry.record) || entry.case).join('; ')}.`;
}

/**
 * @param words print: of y
 * @returns one for each metric and value of the series
 */
function linesOf(
  wish: ChartSpec & { x: string },
  metrics: string[],
  entries: Entry[],
  { names, nameOf, print, x }: { names: MetricNames; nameOf: (entry: Entry) => string; print: Print; x: Print },
): SweepLine[] {
  const lineOf = lineNamer(
    wish,
    entries.filter((entry) => xOf(wish.x, entry, x) !== null),
    nameOf,
  );
  return metrics.flatMap((metric) => {
    const title = metrics.length > 1 ? names.titleOf(metric) : '';
    const drawable = entries.filter(
      (entry) => isDrawable(entry.record.metrics[metric]) && xOf(wish.x, entry, x) !== null,
    );
    return [...groupBy(drawable, lineOf)].map(([series, inside]) => ({
      text: joined(title, series),
      points: inside
        .map((entry) => ({
          x: xOf(wish.x, entry, x) as Value,
          who: joined(caseText(wish.x, entry, nameOf), series, title),
          page: entry.url,
          ...extentOf(entry.record.metrics[metric], print),
        }))
        .sort((a, b) => (typeof a.x === 'number' ? a.x - Number(b.x) : 0)),
    }));
  });
}

const caseText = (x: string, entry: Entry, nameOf: (entry: Entry) => string) =>
  placeText(entry, x, nameOf) || valuesText(entry.record);

/**
 * @param name a swept parameter, a metric, "environment" or "scenario"
 * @returns null: the record has none
 */
function xOf(name: string, entry: Entry, { factor }: Print): Value | null {
  const position = dimensionValue(entry, name);
  if (position !== undefined) return position;
  const metric = entry.record.metrics[name];
  return isDrawable(metric) ? (metric.value as number) * factor : null;
}

/**
 * Units are checked before anything is drawn: numbers of two units on one axis would be a lie that looks like a chart.
 * @param used what would be drawn
 * @param title of the chart
 * @returns the one unit
 * @throws {Rejected}
 */
function oneUnit(used: { name: string; unit: string }[], title: string): string {
  const units = new Map(used.map(({ name, unit }) => [unit, name]));
  if (units.size < 2) return used[0]?.unit ?? '';
  const described = [...units]
    .map(([unit, name]) => `${name} is in ${unit === '1' ? 'plain numbers' : unit}`)
    .join(', ');
  throw new Rejected(
    `the chart "${title}" mixes units: ${described}; a y has one unit, so give each a chart of its own`,
  );
}
