import { changeOf } from '../change.js';
import { inColumn, withUnit } from '../format.js';
import { metricRow } from '../metric-rows.js';
import { doesNotCount, element, headOf, scrolling } from './dom.js';

/** @import { Metric } from '../../../../reports/schema/types.d.ts' */
/** @import { Print } from '../format.js' */
/** @import { MetricNames } from '../metric-names.js' */

/**
 * @typedef {{ metrics: Record<string, Metric>, hrefOf: (name: string) => string, memory: string }} MetricSide hrefOf: where the
 *   number stands; memory: as what memory counts
 */

/**
 * Metrics of two records, a row each.
 * @param {string} title
 * @param {{ name: string, title: string }[]} rows
 * @param {MetricSide} base
 * @param {MetricSide} head
 * @param {MetricNames} names
 */
export function metricsTable(title, rows, base, head, names) {
  const lines = rows.map((row) => {
    const both = [base, head].map(({ metrics }) => (Object.hasOwn(metrics, row.name) ? metrics[row.name] : null));
    const print = printOfRow(row.name, both, names);
    const { text, why } =
      row.name.startsWith('memory_') && base.memory !== head.memory
        ? { text: '', why: `memory is ${base.memory} there, and ${head.memory} here` }
        : changeOf(both[0], both[1]);
    return element(
      'tr',
      { 'data-metric': row.name },
      element(
        'th',
        { scope: 'row', title: row.name },
        row.title,
        print?.unit ? element('small', {}, ` ${print.unit}`) : null,
      ),
      both.map((metric, i) => cellOf(row, metric, [base, head][i], names, print)),
      element('td', { class: 'number', title: why || null }, text || '–'),
    );
  });
  const table = element(
    'table',
    { class: 'metrics besides' },
    element('caption', {}, title),
    headOf(['metric', 'base', 'head', 'change']),
    element('tbody', {}, lines),
  );
  return scrolling(title, table);
}

/**
 * How two numbers of a row are printed, with their rounds: in one unit, and with the same decimals.
 * @param {string} name
 * @param {(Metric | null)[]} both
 * @param {MetricNames} names
 * @returns {Print | undefined} undefined: their records have them in different units, so that each says its own
 */
function printOfRow(name, both, names) {
  const metrics = both.filter((one) => one !== null);
  const values = metrics.map(({ value }) => value);
  const units = new Set(metrics.map(({ unit }) => unit));
  if (units.size !== 1) return undefined;
  return inColumn(names.printOf(name, [...units][0], values), values);
}

/**
 * @param {{ name: string, title: string }} row
 * @param {Metric | null} metric
 * @param {MetricSide} side
 * @param {MetricNames} names
 * @param {Print | undefined} print of both, whose unit the row says
 */
function cellOf({ name, title }, metric, { hrefOf }, names, print) {
  if (!metric || metric.value === null) {
    return element('td', { class: 'number', title: metric?.reason ?? 'not measured' }, '–');
  }
  const row = metricRow(name, title, metric, names, print);
  const href = hrefOf(name);
  if (!row.valid) {
    return element(
      'td',
      { class: 'number' },
      element('a', { href }, doesNotCount(row.reason)),
      element('small', { class: 'reason', 'aria-hidden': 'true' }, row.reason ?? 'not valid'),
    );
  }
  const rounds =
    row.spread && row.spread !== row.text
      ? element('small', { class: 'reason', title: `rounds: ${row.samples.join(', ')}` }, row.spread)
      : null;
  return element(
    'td',
    { class: 'number' },
    element('a', { href, title: row.exact }, print ? row.text : withUnit(row.text, row.unit)),
    rounds,
  );
}
