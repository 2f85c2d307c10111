import { isMost, limitsOf } from '../../../site/assets/js/latency-lines.js';
import { formatAs, formatChangeInterval, formatPlain, withUnit } from '../../base/format.js';
import { intervalBar, reachOf } from '../charts/interval-bar.js';
import { chainSparkline, sparkline } from '../charts/sparkline.js';
import { duetCasesOf } from '../model/latest.js';
import { caseKey, valuesText } from '../model/series.js';
import { nameOf } from '../model/site-model.js';

/** @import { ComparedMetric, Threshold } from '../../../reports/schema/types.d.ts' */
/** @import { Print } from '../../base/format.js' */
/** @import { Chart } from '../charts/chart.js' */
/** @import { Entry } from '../collect/collect-record.js' */
/** @import { Headline, System } from '../collect/systems.js' */
/** @import { Version } from '../model/series.js' */
/** @import { Overview } from '../model/site-model.js' */

/**
 * @typedef {object} HeadlineNumber what the first page says of a system
 * @property {string} value "2.61"
 * @property {string} unit "ms"
 * @property {string} title "latency p95"
 * @property {string} of "Hello World, rate 1000"; with the version, where that is not the system's newest
 * @property {string} url of the record, or of the duet
 * @property {Chart | null} trend over versions; null: it was measured once
 * @property {{ value: number, most: number, end: number, text: string } | null} limit how much of what its threshold allows, on a scale
 *   that ends there or at the value; null: it has none
 * @property {{ text: string, verdict: string, bar: string } | null} change against the versions before, as judged, and drawn beside its
 *   tolerance (SVG); null: it was not compared
 */

/**
 * The number that a spec has chosen for the first page: of the newest version that measured its case.
 * @param {System} system
 * @param {Overview} overview
 * @returns {HeadlineNumber | null} null: none is chosen, or nothing that counts was measured
 */
export function headlineNumber(system, overview) {
  const { headline, scenarios } = system;
  const { versions, compared, names } = overview;
  if (headline === null) return null;
  const { scenario, values, metric } = headline;
  const numbers = versions
    .flatMap((version) => version.entries.map((entry) => ({ version, entry, number: entry.record.metrics[metric] })))
    .filter(({ entry, number }) => isOf(system, headline, entry) && number?.valid && number.value !== null);
  const newest = numbers.at(-1);
  if (newest === undefined) return ofDuet(system, headline, overview);
  const { entry, version } = newest;
  const latest = versions.findLast(({ entries }) => entries.some((candidate) => candidate.system === system.name));
  const { unit, value } = newest.number;
  const print = names.printOf(metric, unit, [value]);
  const row = compared
    .get(version.version)
    ?.get(caseKey(entry))
    ?.metrics.find((comparedMetric) => comparedMetric.metric === metric && comparedMetric.ratio !== null);
  const title = scenarios.find(({ name }) => name === scenario)?.title ?? scenario;
  const rest = Object.keys(values).length ? valuesText(entry.record) : '';
  return {
    value: formatAs(value, print),
    unit: print.unit,
    title: names.titleOf(metric),
    of: [title, rest, version === latest ? '' : nameOf(version)].filter(Boolean).join(', '),
    url: entry.url,
    limit: value === null ? null : limitOf(metric, value, entry.record.thresholds, print),
    trend: sparkline(
      metric,
      numbers.map((found) => found.entry),
      names,
      (candidate) => nameOf(/** @type {Version} */ (versions.find(({ version: of }) => of === candidate.version))),
    ),
    change: changeOf(row),
  };
}

/**
 * The same of the newest duet, where nothing else was measured: head's number under the scenario's own load, and how far it
 * has come over commits.
 * @param {System} system
 * @param {Headline} headline
 * @param {Overview} overview
 * @returns {HeadlineNumber | null}
 */
function ofDuet(system, headline, overview) {
  const { names, chains } = overview;
  const { metric, scenario } = headline;
  const found = duetCasesOf(system, overview)
    .map(({ duet, outcome }) => ({ duet, outcome, number: outcome.measured?.[metric] }))
    .findLast(({ outcome, number }) => isCaseOf(system, headline, outcome) && number?.valid);
  if (!found?.number) return null;
  const { duet, outcome } = found;
  const { value, unit } = found.number;
  const print = names.printOf(metric, unit, [value]);
  const row = outcome.metrics.find(
    (comparedMetric) => comparedMetric.metric === metric && comparedMetric.ratio !== null,
  );
  const line = chains
    .flatMap(({ lines }) => lines)
    .find((chainLine) => chainLine.metric === metric && caseKey(chainLine) === caseKey(outcome));
  const title = system.scenarios.find(({ name }) => name === scenario)?.title ?? scenario;
  return {
    value: formatAs(value, print),
    unit: print.unit,
    title: names.titleOf(metric),
    of: [title, valuesText(outcome)].filter(Boolean).join(', '),
    url: duet.url,
    limit: value === null ? null : limitOf(metric, value, outcome.thresholds, print),
    trend: line ? chainSparkline(line, names.titleOf(metric)) : null,
    change: changeOf(row),
  };
}

/** @param {ComparedMetric | undefined} row */
const changeOf = (row) =>
  row ? { text: formatChangeInterval(row), verdict: row.verdict, bar: intervalBar(row, reachOf([row])) } : null;

/**
 * @param {System} system
 * @param {Headline} headline
 * @param {Entry} entry
 */
const isOf = (system, headline, { record, ...identity }) =>
  !record.search && isCaseOf(system, headline, { ...identity, scenario: record.scenario, values: record.values });

/**
 * @param {System} system
 * @param {Headline} headline
 * @param {{ system: string, environment: string, scenario: string | null, values: Record<string, unknown> }} identity a case
 */
function isCaseOf({ name, environments, scenarios }, { scenario, environment, values }, identity) {
  const runsIn =
    scenarios.find((each) => each.name === scenario)?.environments ?? environments.map((each) => each.name);
  return (
    identity.system === name &&
    identity.scenario === scenario &&
    identity.environment === (environment ?? runsIn[0] ?? identity.environment) &&
    Object.entries(values).every(([key, value]) => String(identity.values[key]) === value)
  );
}

/**
 * How much a threshold allows: of a percentile of all requests, or of the metric itself.
 * @param {string} metric
 * @param {number} value
 * @param {readonly Pick<Threshold, 'metric' | 'selector' | 'expr' | 'aggregation' | 'percentile' | 'op' | 'value'>[]} thresholds
 * @param {Print} print
 * @returns {HeadlineNumber['limit']}
 */
function limitOf(metric, value, thresholds, print) {
  const { p, latency } = limitsOf(thresholds);
  const ofMetric = thresholds
    .filter(({ metric: of, aggregation, op }) => of === metric && aggregation === 'value' && isMost(op))
    .map((threshold) => threshold.value);
  const all = [...latency.filter((_, i) => metric === `latency_ms_p${p[i]}`), ...ofMetric].filter((most) => most > 0);
  if (all.length === 0) return null;
  const most = Math.min(...all);
  const allowed = withUnit(formatPlain(most * print.factor), print.unit);
  const text = value > most ? `above the ${allowed} allowed` : `of ${allowed} allowed`;
  return { value, most, end: Math.max(value, most), text };
}
