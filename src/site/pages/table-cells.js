import { changeOf } from '../../../site/assets/js/change.js';
import { spreadOf } from '../../../site/assets/js/metric-rows.js';
import { formatAs, inColumn } from '../../format.js';
import { fromIntendedStart, intendedOf } from '../model/intended.js';
import { numbersOf } from '../model/request-numbers.js';
import { placeDifferenceOf } from '../model/series.js';
import { hrefOf } from './page.js';

/** @import { Metric } from '../../../reports/schema/types.d.ts' */
/** @import { MetricNames } from '../../../site/assets/js/metric-names.js' */
/** @import { Print } from '../../format.js' */
/** @import { CellSpec } from '../collect/declared.js' */
/** @import { Entry } from '../collect/record.js' */
/** @import { CaseCell as DeclaredCell } from './case-table.js' */
/** @import { TableLine } from './table-lines.js' */

/**
 * The cells of a declared table: numbers of records, each leading to its own.
 *
 * @typedef {{ title: string, unit: string, wish: CellSpec, metrics: string[], units: string[],
 *   prints: Print[] }} DeclaredColumn units: of records; these and prints one for each metric
 */

/** @param {CellSpec} wish @returns {string[]} */
const metricsOf = ({ metric, metrics }) => metrics ?? (metric === undefined ? [] : [metric]);

/**
 * @param {CellSpec} wish
 * @param {TableLine[]} lines
 * @param {MetricNames} names
 * @returns {DeclaredColumn}
 */
export function columnOf(wish, lines, names) {
  const metrics = metricsOf(wish);
  const found = metrics.map((metric) =>
    lines
      .map((line) => numberOf(line, wish, metric))
      .filter((candidate) => candidate !== null && candidate.value !== null)
      .map((candidate) => /** @type {Metric} */ (candidate)),
  );
  const units = found.map((all) => all[0]?.unit ?? '');
  const prints = found.map((all, i) => {
    // What does not count is not shown, and may be of quite another size.
    const instead = lines.flatMap((line) => insteadOf(line, wish, metrics[i])?.metric ?? []);
    const values = [...all.filter(({ valid }) => valid), ...instead].map(({ value }) => value);
    return inColumn(names.printOf(metrics[i], units[i], values, wish.text), values);
  });
  const shown = [...new Set(prints.map(({ unit }) => unit))].filter((unit) => unit && !wish.text?.includes(unit));
  return {
    title: wish.title ?? metrics.map(names.titleOf).join(', '),
    unit: shown.join(', '),
    wish,
    metrics,
    units,
    prints,
  };
}

/**
 * What stands in a cell for a latency of the whole record that does not count.
 * @param {TableLine} line
 * @param {CellSpec} wish
 * @param {string} metric
 */
function insteadOf(line, wish, metric) {
  const metrics = line.entry?.record.metrics;
  return metrics?.[metric] && numberOf(line, wish, metric) === metrics[metric] ? intendedOf(metrics, metric) : null;
}

/**
 * @param {TableLine} line
 * @param {CellSpec} wish
 * @param {string} metric
 * @returns {Metric | null} null: the record has no such number
 */
export function numberOf({ entry, request, group }, wish, metric) {
  if (!entry) return null;
  const { requests, groups = {}, services, metrics } = entry.record;
  if (wish.service !== undefined) return services[wish.service]?.metrics[metric] ?? null;
  const [kind, name] = [wish.group ?? group, wish.request ?? request];
  const part = kind !== undefined ? groups[kind] : name !== undefined ? requests[name] : null;
  if (part === null) return metrics[metric] ?? null;
  return part ? (numbersOf(part)[metric] ?? null) : null;
}

/**
 * @param {TableLine} line
 * @param {DeclaredColumn} column
 * @returns {DeclaredCell}
 */
export function cellOf(line, { wish, metrics, units, prints }) {
  const { entry } = line;
  if (!entry) return nothing(line.reason);
  const found = metrics.map((metric) => numberOf(line, wish, metric));
  const texts = found.map((metric, i) =>
    metric && metric.unit === units[i] ? formatAs(metric.value, prints[i]) : '–',
  );
  const why = found.map((metric, i) => whyOf(metric, units[i])).find(Boolean);
  if (texts.every((text) => text === '–')) return nothing(why ?? 'not measured');
  const invalid = found.find((metric) => metric?.valid === false);
  const instead = metrics.length === 1 ? insteadOf(line, wish, metrics[0]) : null;
  if (instead) {
    const { name, metric } = instead;
    const title = `${metric.value} ${metric.unit}, ${fromIntendedStart}`;
    const text = filled(wish.text ?? '{}', [formatAs(metric.value, prints[0])]);
    return { text, href: hrefOf(entry.url, placeOf(line, wish, name)), invalid: false, intended: true, title };
  }
  const exact = found
    .map((metric, i) => exactly(metric, prints[i]))
    .filter(Boolean)
    .join('; ');
  return {
    text: filled(wish.text ?? '{}', texts),
    href: hrefOf(entry.url, placeOf(line, wish, metrics[0])),
    invalid: Boolean(invalid),
    title: invalid ? `does not count: ${invalid.reason ?? 'not valid'}` : (why ?? exact),
  };
}

/** @param {Metric | null} metric @param {string} unit */
function whyOf(metric, unit) {
  if (!metric) return 'the record has no such number';
  if (metric.value === null) return metric.reason ?? 'not measured';
  return metric.unit === unit ? '' : `it is in ${metric.unit}, the column in ${unit}`;
}

/** @param {Metric | null} metric @param {Print} print */
function exactly(metric, print) {
  if (!metric || metric.value === null) return '';
  const spread = spreadOf(metric, print);
  return `${metric.value} ${metric.unit}${spread ? `, rounds ${spread}` : ''}`;
}

/** Each {} takes the next number. @param {string} pattern @param {string[]} texts */
function filled(pattern, texts) {
  const queue = texts.values();
  return pattern.replace(/\{\}/g, () => queue.next().value ?? '–');
}

/** @param {TableLine} line @param {CellSpec} wish @param {string} metric */
function placeOf({ request, group }, wish, metric) {
  if (wish.service !== undefined) return 'services';
  if ((wish.group ?? group) !== undefined) return 'groups';
  return (wish.request ?? request) !== undefined ? 'requests' : metric;
}

/** @param {string} why @returns {DeclaredCell} */
const nothing = (why) => ({ text: '–', title: why, href: '', invalid: false });

/**
 * How much a number changes from one line to another: in percent, shares in points.
 * @param {TableLine | undefined} from
 * @param {TableLine | undefined} to
 * @param {DeclaredColumn} column
 * @returns {DeclaredCell}
 */
export function changeCell(from, to, { wish, metrics }) {
  if (metrics.length !== 1) return nothing('more than one number');
  const [a, b] = [from, to].map((line) => (line ? numberOf(line, wish, metrics[0]) : null));
  if (!from?.entry || !to?.entry || !a || !b) return nothing('one is missing');
  const isOther = from.entry.record.profile !== to.entry.record.profile;
  const other = isOther ? 'another profile' : placeDifferenceOf(from.entry, to.entry);
  const { text, why } = changeOf(a, b);
  if (!text || other) return nothing(why || `not comparable: ${other}`);
  return { text, title: `from ${a.value} to ${b.value} ${a.unit}`, href: '', invalid: false };
}
