import { printOf } from './format.js';

/**
 * What the pages call metrics, and in what order: reports/lib/tables/metrics.jq.
 * @typedef {object} MetricNames
 * @property {MetricTable} table what they were made from
 * @property {string[]} headline at the top of a record, and in tables of cases
 * @property {Section[]} sections
 * @property {(name: string) => string} titleOf its own name when it is not in the table
 * @property {(name: string) => number} orderOf Infinity when it is not in the table
 * @property {(name: string, unit: string, values?: (number | null)[], text?: string) => Print} printOf how numbers in the unit of a record are
 *   printed together
 * @typedef {import('./format.js').Print} Print
 *
 * @typedef {{ name: string, title: string, unit?: string }} ShownMetric
 * @typedef {{ title: string, about: string, metrics: ShownMetric[] }} Section
 * @typedef {{ headline: string[], sections: Section[], others: ShownMetric[] }} MetricTable
 */

/**
 * @param {MetricTable} table
 * @returns {MetricNames}
 */
export function namesFrom(table) {
  const { headline, sections, others } = table;
  const known = [
    ...sections.flatMap(({ title: section, metrics }) => metrics.map((metric) => ({ ...metric, section }))),
    ...others.map((metric) => ({ ...metric, section: '' })),
  ];
  const places = new Map(known.map(({ name }, i) => [name, i]));
  const units = new Map(known.map(({ name, unit }) => [name, unit]));
  // In its own section "p95" is enough, elsewhere it is not.
  const titles = new Map(
    known.map(({ name, title, section }) => [name, section === 'Latency' ? `latency ${title}` : title]),
  );
  return {
    table,
    headline,
    sections,
    titleOf: (name) => titles.get(name) ?? name,
    orderOf: (name) => places.get(name) ?? Infinity,
    printOf: (name, unit, values, text) => {
      const print = printOf(unit, values, text);
      return { ...print, unit: units.get(name) ?? print.unit };
    },
  };
}
