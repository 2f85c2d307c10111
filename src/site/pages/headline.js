import { formatAs, formatChangeInterval } from '../../format.js';
import { sparkline } from '../charts/sparkline.js';
import { caseKey, valuesText } from '../model/series.js';
import { nameOf } from '../model/site-model.js';

/**
 * @import { Entry } from '../collect/record.js'
 * @import { Version } from '../model/series.js'
 *
 * @typedef {object} HeadlineNumber what the first page says of a system
 * @property {string} value "2.61"
 * @property {string} unit "ms"
 * @property {string} title "latency p95"
 * @property {string} of "Hello World, rate 1000"; with the version, where that is not the system's newest
 * @property {string} url of the record
 * @property {import('../charts/chart.js').Chart | null} trend over versions; null: it was measured once
 * @property {{ text: string, verdict: string } | null} change against the versions before, as judged; null: it was not compared
 */

/**
 * The number that a spec has chosen for the first page: of the newest version that measured its case.
 * @param {import('../collect/systems.js').System} system
 * @param {import('../model/site-model.js').Overview} overview
 * @returns {HeadlineNumber | null} null: none is chosen, or nothing that counts was measured
 */
export function headlineNumber(system, { versions, compared, names }) {
  const { headline, scenarios } = system;
  if (headline === null) return null;
  const { scenario, values, metric } = headline;
  const numbers = versions
    .flatMap((version) => version.entries.map((entry) => ({ version, entry, number: entry.record.metrics[metric] })))
    .filter(({ entry, number }) => isOf(system, headline, entry) && number?.valid && number.value !== null);
  const newest = numbers.at(-1);
  if (newest === undefined) return null;
  const { entry, version } = newest;
  const latest = versions.findLast(({ entries }) => entries.some((one) => one.system === system.name));
  const { unit, value } = newest.number;
  const print = names.printOf(metric, unit, [value]);
  const row = compared
    .get(version.version)
    ?.get(caseKey(entry))
    ?.metrics.find((/** @type {any} */ one) => one.metric === metric && one.ratio !== null);
  const title = scenarios.find(({ name }) => name === scenario)?.title ?? scenario;
  const rest = Object.keys(values).length ? valuesText(entry.record) : '';
  return {
    value: formatAs(value, print),
    unit: print.unit,
    title: names.titleOf(metric),
    of: [title, rest, version === latest ? '' : nameOf(version)].filter(Boolean).join(', '),
    url: entry.url,
    trend: sparkline(
      metric,
      numbers.map((one) => one.entry),
      names,
      (one) => nameOf(/** @type {Version} */ (versions.find(({ version: of }) => of === one.version))),
    ),
    change: row ? { text: formatChangeInterval(row), verdict: row.verdict } : null,
  };
}

/**
 * @param {import('../collect/systems.js').System} system
 * @param {import('../collect/systems.js').Headline} headline
 * @param {Entry} entry
 */
function isOf(
  { name, environments, scenarios },
  { scenario, environment, values },
  { system, environment: at, record },
) {
  const runsIn = scenarios.find((one) => one.name === scenario)?.environments ?? environments.map((one) => one.name);
  return (
    system === name &&
    record.scenario === scenario &&
    at === (environment ?? runsIn[0] ?? at) &&
    !record.search &&
    Object.entries(values).every(([key, value]) => String(record.values[key]) === value)
  );
}
