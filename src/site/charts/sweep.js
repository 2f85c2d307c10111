import { headingOf } from '../pages/metrics.js';
import { groupBy, valuesText } from '../pages/series.js';
import { slotOf } from './chart.js';
import { columnsOf, extentOf, isDrawable } from './points.js';

/**
 * @typedef {import('../collect/record.js').Entry} Entry
 * @typedef {import('../collect/systems.js').SweepChart} SweepChart
 * @typedef {import('../pages/metrics.js').MetricNames} MetricNames
 * @typedef {import('./points.js').Extent & { x: any, who: string }} Point
 * @typedef {{ text: string, points: Point[] }} Line
 */

/**
 * Metrics against a swept parameter or another metric, as a spec declares it.
 * @param {SweepChart} wish
 * @param {Entry[]} entries the cases to draw
 * @param {MetricNames} names
 * @param {(entry: Entry) => string} nameOf a version's name
 * @returns {import('./chart.js').Chart | null} null: fewer than two points, or two units, which no axis has
 */
export function sweep(wish, entries, names, nameOf) {
  const metrics = [wish.y].flat();
  const all = entries.map(({ record }) => record.metrics);
  const units = new Set(all.flatMap((has) => metrics.flatMap((metric) => has[metric]?.unit ?? [])));
  const lines = units.size === 1 ? linesOf(wish, metrics, entries, names, nameOf) : [];
  const points = lines.flatMap((line) => line.points);
  if (points.length < 2) return null;
  const [unit] = units;
  const yTitle = metrics.length === 1 ? headingOf(names, metrics[0], unit) : names.printOf(metrics[0], unit).unit;
  const xTitle = headingOf(names, wish.x, entries[0].record.metrics[wish.x]?.unit ?? '1');
  return {
    file: 'sweep',
    note: noteOf(metrics, entries),
    title: wish.title ?? `${metrics.map(names.titleOf).join(', ')} by ${names.titleOf(wish.x)}`,
    summary: `${yTitle} by ${xTitle}: ${points.map(({ who, value }) => `${who}: ${value}`).join('; ')}.`,
    key: lines.length > 1 ? lines.map(({ text }, i) => ({ slot: slotOf(i), text })) : [],
    patch: patchOf(wish, lines, { x: xTitle, y: yTitle }),
    data: { points: lines.map((line, i) => ({ slot: slotOf(i), ...columnsOf(line.points) })) },
    table: {
      head: [xTitle, ...(lines.length > 1 ? ['line'] : []), yTitle, 'rounds'],
      rows: lines.flatMap(({ text, points: inside }) => (
        inside.map(({ x, value, range }) => [String(x), ...(lines.length > 1 ? [text] : []), value, range]))),
    },
  };
}

/**
 * What is not drawn is said.
 * @param {string[]} metrics
 * @param {Entry[]} entries
 */
function noteOf(metrics, entries) {
  const out = entries.filter(({ record }) => metrics.some((metric) => record.metrics[metric]?.valid === false));
  if (!out.length) return '';
  return `⊘ Left out, for it does not count: ${out.map((entry) => valuesText(entry.record) || entry.case).join('; ')}.`;
}

/**
 * @param {SweepChart} wish
 * @param {string[]} metrics
 * @param {Entry[]} entries
 * @param {MetricNames} names
 * @param {(entry: Entry) => string} nameOf
 * @returns {Line[]} one for each metric and value of the series
 */
function linesOf(wish, metrics, entries, names, nameOf) {
  return metrics.flatMap((metric) => {
    const title = metrics.length > 1 ? names.titleOf(metric) : '';
    const drawable = entries.filter(({ record }) => (
      isDrawable(record.metrics[metric]) && xOf(wish.x, record, names) !== null));
    return [...groupBy(drawable, (entry) => seriesOf(wish, entry, nameOf))].map(([series, inside]) => ({
      text: joined(title, series),
      points: inside.map(({ record }) => ({
        x: xOf(wish.x, record, names), who: joined(valuesText(record), title),
        ...extentOf(record.metrics[metric], names.printOf(metric, record.metrics[metric].unit)),
      })).sort((a, b) => (typeof a.x === 'number' ? a.x - b.x : 0)),
    }));
  });
}

/** @param {string[]} texts */
const joined = (...texts) => texts.filter(Boolean).join(', ');

/**
 * @param {string} name a swept parameter or a metric
 * @param {import('../collect/record.js').BenchRecord} record
 * @param {MetricNames} names
 * @returns {any} null: the record has none
 */
function xOf(name, { values, metrics }, names) {
  if (name in values) return values[name];
  const metric = metrics[name];
  return isDrawable(metric) ? /** @type {number} */ (metric.value) * names.printOf(name, metric.unit).factor : null;
}

/**
 * What a line stands for: the declared series, else whatever else was swept.
 * @param {SweepChart} wish
 * @param {Entry} entry
 * @param {(entry: Entry) => string} nameOf
 */
function seriesOf({ x, series }, entry, nameOf) {
  const { values } = entry.record;
  if (series === 'version') return nameOf(entry);
  if (series === 'environment') return entry.environment;
  const others = series ? [series] : Object.keys(values).filter((key) => key !== x);
  return others.filter((key) => key in values).map((key) => `${key} ${values[key]}`).join(', ');
}

/**
 * @param {SweepChart} wish
 * @param {Line[]} lines
 * @param {{ x: string, y: string }} titles
 * @returns {import('./prepare.js').Patch}
 */
function patchOf({ type = 'line', scale = 'linear' }, lines, titles) {
  const places = lines.flatMap(({ points }) => points.map(({ x }) => x));
  const isOrdinal = type === 'bar' || places.some((place) => typeof place !== 'number');
  const x = isOrdinal ? ordinal : scaleOf(scale, places);
  return {
    fields: { x: { title: titles.x, ...x }, y: { title: titles.y }, low: { title: titles.y } },
    ...(type !== 'line' && { mark: { type, point: false, ...(type === 'point' && { size: 50 }) } }),
    ...(type === 'bar' && lines.length > 1 && { channels: { xOffset: { field: 'slot', type: 'nominal' } } }),
  };
}

/** A bar stands on a place of its own; so does text. What the file says of a scale of numbers is taken back. */
const ordinal = { type: 'ordinal', scale: { nice: undefined, zero: undefined, padding: 0.3 }, axis: { labelAngle: 0 } };

/**
 * Zero has no place on a logarithmic scale; "symlog" is one that has.
 * @param {'linear' | 'log' | 'symlog'} wish
 * @param {number[]} places
 */
const scaleOf = (wish, places) => (wish === 'linear' ? {} : {
  scale: { type: wish === 'log' && places.some((place) => place <= 0) ? 'symlog' : wish },
  axis: { values: { expr: "pluck(data('points'), 'x')" } },
});
