import type { Metric } from '../../../reports/schema/types.d.ts';
import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import { spreadOf } from '../../../site/assets/js/metric-rows.js';
import { formatAs, inColumn, type Print, withUnit } from '../../base/format.js';
import type { Entry } from '../collect/collect-record.js';
import type { CellSpec } from '../collect/declared-parts.js';
import { fromIntendedStart, intendedOf } from '../model/intended.js';
import type { LineChange, LineNumber, LinePair } from '../model/line-changes.js';
import { numbersOf } from '../model/request-numbers.js';
import { placeDifferenceOf } from '../model/series.js';
import type { CaseCell as DeclaredCell } from './case-table.js';
import { hrefOf } from './page.js';
import { printBeside } from './published.js';
import type { TableLine } from './table-lines.js';

/**
 * The cells of a declared table: numbers of records, each leading to its own. units: of records; these and prints one for each
 * metric
 */
export type DeclaredColumn = {
  title: string;
  unit: string;
  wish: CellSpec;
  metrics: string[];
  units: string[];
  prints: Print[];
};

const metricsOf = ({ metric, metrics }: CellSpec): string[] => metrics ?? (metric === undefined ? [] : [metric]);

export const titleOf = (wish: CellSpec, names: MetricNames) =>
  wish.title ?? metricsOf(wish).map(names.titleOf).join(', ');

/** @param published the units of the numbers beside them; a text of the spec's own may have its unit in it */
export function columnOf(
  wish: CellSpec,
  lines: TableLine[],
  names: MetricNames,
  published: readonly string[] = [],
): DeclaredColumn {
  const metrics = metricsOf(wish);
  const beside = /[a-z%]/i.test(wish.text ?? '') ? [] : published;
  const found = metrics.map((metric) =>
    lines
      .map((line) => numberOf(line, wish, metric))
      .filter((candidate) => candidate !== null && candidate.value !== null)
      .map((candidate) => candidate as Metric),
  );
  const units = found.map((all) => all[0]?.unit ?? '');
  const prints = found.map((all, i) => {
    // A number that does not count is not drawn: its size may be quite another.
    const instead = lines.flatMap((line) => insteadOf(line, wish, metrics[i])?.metric ?? []);
    const values = [...all.filter(({ valid }) => valid), ...instead].map(({ value }) => value);
    const print = printBeside(units[i], beside[i]) ?? names.printOf(metrics[i], units[i], values, wish.text);
    return inColumn(print, values);
  });
  const shown = [...new Set(prints.map(({ unit }) => unit))].filter((unit) => unit && !wish.text?.includes(unit));
  return {
    title: titleOf(wish, names),
    unit: shown.join(', '),
    wish,
    metrics,
    units,
    prints,
  };
}

/** What stands in a cell for a latency of the whole record that does not count. */
function insteadOf(line: TableLine, wish: CellSpec, metric: string) {
  const metrics = line.entry?.record.metrics;
  return metrics?.[metric] && numberOf(line, wish, metric) === metrics[metric] ? intendedOf(metrics, metric) : null;
}

/** @returns null: the record has no such number */
export function numberOf({ entry, request, group }: TableLine, wish: CellSpec, metric: string): Metric | null {
  if (!entry) return null;
  const { requests, groups = {}, services, metrics } = entry.record;
  if (wish.service !== undefined) return services[wish.service]?.metrics[metric] ?? null;
  const [kind, name] = [wish.group ?? group, wish.request ?? request];
  const part = kind !== undefined ? groups[kind] : name !== undefined ? requests[name] : null;
  if (part === null) return metrics[metric] ?? null;
  return part ? (numbersOf(part)[metric] ?? null) : null;
}

export function cellOf(line: TableLine, { wish, metrics, units, prints }: DeclaredColumn): DeclaredCell {
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

function whyOf(metric: Metric | null, unit: string) {
  if (!metric) return 'the record has no such number';
  if (metric.value === null) return metric.reason ?? 'not measured';
  return metric.unit === unit ? '' : `it is in ${metric.unit}, the column in ${unit}`;
}

function exactly(metric: Metric | null, print: Print) {
  if (!metric || metric.value === null) return '';
  const spread = spreadOf(metric, print);
  return `${metric.value} ${metric.unit}${spread ? `, rounds ${withUnit(spread, print.unit)}` : ''}`;
}

/** Each {} takes the next number. */
function filled(pattern: string, texts: string[]) {
  const queue = texts.values();
  return pattern.replace(/\{\}/g, () => queue.next().value ?? '–');
}

function placeOf({ request, group }: TableLine, wish: CellSpec, metric: string) {
  if (wish.service !== undefined) return 'services';
  if ((wish.group ?? group) !== undefined) return 'groups';
  return (wish.request ?? request) !== undefined ? 'requests' : metric;
}

const nothing = (why: string): DeclaredCell => ({ text: '–', title: why, href: '', invalid: false });

/**
 * The numbers of two lines that a change is between.
 * @returns why: there are none
 */
export function pairOf(
  from: TableLine | undefined,
  to: TableLine | undefined,
  { wish, metrics }: DeclaredColumn,
): { pair: LinePair } | { why: string } {
  if (metrics.length !== 1) return { why: 'more than one number' };
  if (!from?.entry || !to?.entry) return { why: 'one is missing' };
  const isOther = from.entry.record.profile !== to.entry.record.profile;
  const other = isOther ? 'another profile' : placeDifferenceOf(from.entry, to.entry);
  if (other) return { why: `not comparable: ${other}` };
  const [base, head] = [from, to].map((line) => lineNumber(line, numberOf(line, wish, metrics[0])));
  return { pair: { base, head } };
}

function lineNumber({ entry }: TableLine, metric: Metric | null): LineNumber {
  const { time, speed, imported, compare } = (entry as Entry).record;
  return { metric, time, ...(speed && { speed }), ...(imported && { imported }), compare };
}

/**
 * How much a number changes from one line to another, with its interval: in percent, shares in points.
 * @param judged of that pair
 */
export function changeCell(found: ReturnType<typeof pairOf>, judged: LineChange | undefined): DeclaredCell {
  if ('why' in found) return nothing(found.why);
  if (!judged?.text) return nothing(judged?.why ?? 'one is missing');
  const { base, head } = found.pair;
  const title = `from ${base.metric?.value} to ${head.metric?.value} ${head.metric?.unit}`;
  return { text: judged.text, title, href: '', invalid: false };
}
