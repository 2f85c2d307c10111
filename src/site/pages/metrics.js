import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseToml } from '../../spec/parse.js';
import { printOf } from '../format.js';

/**
 * What the pages call metrics, and in what order: site/data/metrics.toml.
 * @typedef {object} MetricNames
 * @property {string[]} columns of tables of cases
 * @property {string[]} figures at the top of a record
 * @property {Group[]} groups
 * @property {(name: string) => string} titleOf its own name when it is not in the table
 * @property {(name: string) => number} orderOf Infinity when it is not in the table
 * @property {(name: string, unit: string) => Print} printOf how numbers in the unit of a record are printed
 * @typedef {import('../format.js').Print} Print
 *
 * @typedef {{ title: string, about: string, metrics: { name: string, title: string, unit?: string }[] }} Group
 */

/**
 * @param {string[]} folders site folders, the first that has the file wins
 * @returns {MetricNames}
 */
export function readMetricNames(folders) {
  const file = folders.map((folder) => join(folder, 'data', 'metrics.toml')).find(existsSync);
  const { columns = [], figures = [], groups = [], series = [] } = file ? parseToml(readFileSync(file, 'utf8')) : {};
  /** @type {{ name: string, title: string, unit?: string, group: string }[]} */
  const known = [...groups, ...series].flatMap((/** @type {Group} */ { title: group, metrics }) => (
    metrics.map((metric) => ({ ...metric, group }))));
  const places = new Map(known.map(({ name }, i) => [name, i]));
  const units = new Map(known.map(({ name, unit }) => [name, unit]));
  // In its own group "p95" is enough, elsewhere it is not.
  const titles = new Map(known.map(({ name, title, group }) => (
    [name, group === 'Latency' ? `latency ${title}` : title])));
  return {
    columns, figures, groups,
    titleOf: (name) => titles.get(name) ?? name,
    orderOf: (name) => places.get(name) ?? Infinity,
    printOf: (name, unit) => ({ factor: printOf(unit).factor, unit: units.get(name) ?? printOf(unit).unit }),
  };
}

/**
 * A metric's name and unit, for a heading or an axis.
 * @param {MetricNames} names
 * @param {string} name
 * @param {string} unit the record's
 * @returns {string} latency p95, ms
 */
export function headingOf(names, name, unit) {
  const shown = names.printOf(name, unit).unit;
  return shown ? `${names.titleOf(name)}, ${shown}` : names.titleOf(name);
}
