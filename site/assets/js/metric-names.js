import { printOf } from './format.js';

/**
 * What the pages call metrics, and in what order: site/data/metrics.toml.
 * @typedef {object} MetricNames
 * @property {MetricTable} table what they were made from
 * @property {string[]} columns of tables of cases
 * @property {string[]} figures at the top of a record
 * @property {Group[]} groups
 * @property {(name: string) => string} titleOf its own name when it is not in the table
 * @property {(name: string) => number} orderOf Infinity when it is not in the table
 * @property {(name: string, unit: string, values?: (number | null)[], text?: string) => Print} printOf how numbers in the unit of a record are
 *   printed together
 * @typedef {import('./format.js').Print} Print
 *
 * @typedef {{ title: string, about: string, metrics: { name: string, title: string, unit?: string }[] }} Group
 * @typedef {{ columns?: string[], figures?: string[], groups?: Group[], series?: { metrics: Group['metrics'] }[] }} MetricTable
 */

/**
 * @param {MetricTable} table
 * @returns {MetricNames}
 */
export function namesFrom(table) {
  const { columns = [], figures = [], groups = [], series = [] } = table;
  /** @type {{ name: string, title: string, unit?: string, group?: string }[]} */
  const known = [...groups, .../** @type {Group[]} */ (series)].flatMap(({ title: group, metrics }) =>
    metrics.map((metric) => ({ ...metric, group })),
  );
  const places = new Map(known.map(({ name }, i) => [name, i]));
  const units = new Map(known.map(({ name, unit }) => [name, unit]));
  // In its own group "p95" is enough, elsewhere it is not.
  const titles = new Map(
    known.map(({ name, title, group }) => [name, group === 'Latency' ? `latency ${title}` : title]),
  );
  return {
    table,
    columns,
    figures,
    groups,
    titleOf: (name) => titles.get(name) ?? name,
    orderOf: (name) => places.get(name) ?? Infinity,
    printOf: (name, unit, values, text) => {
      const print = printOf(unit, values, text);
      return { ...print, unit: units.get(name) ?? print.unit };
    },
  };
}
