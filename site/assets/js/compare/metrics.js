import { changeOf } from '../change.js';
import { metricRow } from '../metric-rows.js';
import { doesNotCount, element, headOf, scrolling } from './dom.js';

/** @import { Metric } from '../../../../reports/schema/types.d.ts' */
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
    const units = both.flatMap((one) => (one ? names.printOf(row.name, one.unit).unit : []));
    const isOne = new Set(units).size === 1;
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
        isOne && units[0] ? element('small', {}, ` ${units[0]}`) : null,
      ),
      both.map((metric, i) => cellOf(row, metric, [base, head][i], names, isOne)),
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
 * @param {{ name: string, title: string }} row
 * @param {Metric | null} metric
 * @param {MetricSide} side
 * @param {MetricNames} names
 * @param {boolean} isOne both are in one unit, which the row says
 */
function cellOf({ name, title }, metric, { hrefOf }, names, isOne) {
  if (!metric || metric.value === null) {
    return element('td', { class: 'number', title: metric?.reason ?? 'not measured' }, '–');
  }
  const row = metricRow(name, title, metric, names);
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
    element('a', { href, title: row.exact }, isOne ? row.text : `${row.text} ${row.unit}`),
    rounds,
  );
}
