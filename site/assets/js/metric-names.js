import { printOf } from './format.js';

/** @import { Print } from './format.js' */

/**
 * What the pages call metrics, and in what order: reports/lib/tables/metrics.jq.
 * @typedef {object} MetricNames
 * @property {MetricTable} table what they were made from
 * @property {string[]} headline at the top of a record, and in tables of cases
 * @property {Section[]} sections
 * @property {(name: string) => string} titleOf its own name when it is not in the table
 * @property {(name: string) => number} orderOf Infinity when it is not in the table
 * @property {(name: string, unit: string, values?: (number | null)[], text?: string) => Print} printOf how numbers in the unit
 *   of a record are printed together
 *
 * @typedef {{ name: string, title: string, unit?: string }} ShownMetric
 * @typedef {{ title: string, about: string, metrics: ShownMetric[] }} Section
 * @typedef {{ headline: string[], sections: Section[], others: ShownMetric[] }} MetricTable
 */

/** How it is said in which lane of a duet something was measured. @type {Record<string, string>} */
const lanes = { load: 'under load', saturation: 'at saturation', age: 'with age' };

/**
 * Parts the name of a metric; reports/lib/metrics.jq does the same.
 * @param {string} name "latency_ms_p50{request:create}"
 * @returns {{ metric: string, kind: string | null, part: string }} kind: request, service, lane or script; null: it is of the whole
 */
export function metricParts(name) {
  const [, metric = name, kind = null, part = ''] = /^([^{]*)\{(\w+):(.*)\}$/s.exec(name) ?? [];
  return { metric, kind, part };
}

/**
 * Names a metric of a request, a service, a script or a lane: "latency p50 of create", "latency p95 under load".
 * @param {string} name "latency_ms_p50{request:create}"
 * @param {Map<string, string>} titles
 */
function titleOfPart(name, titles) {
  const { metric, kind, part } = metricParts(name);
  if (kind === 'script') return `${metric.replace('_', ' ')} of ${part}`;
  const title = titles.get(metric);
  if (title === undefined) return name;
  return `${title} ${kind === 'lane' ? lanes[part] : `of ${part}`}`;
}

/**
 * @param {MetricTable} table
 * @returns {MetricNames}
 */
export function namesFrom(table) {
  const { headline, sections, others } = table;
  const known = [...sections.flatMap(({ metrics }) => metrics), ...others];
  const places = new Map(known.map(({ name }, i) => [name, i]));
  const units = new Map(known.map(({ name, unit }) => [name, unit]));
  const titles = new Map(known.map(({ name, title }) => [name, title]));
  return {
    table,
    headline,
    sections,
    titleOf: (name) => titles.get(name) ?? titleOfPart(name, titles),
    orderOf: (name) => places.get(name) ?? Infinity,
    printOf: (name, unit, values, text) => {
      const print = printOf(unit, values, text);
      return { ...print, unit: units.get(name.split('{')[0]) ?? print.unit };
    },
  };
}
