import { formatAs, formatBytes, formatLevel, formatPercent, formatRatioInterval } from '../../format.js';
import { caseKey, valuesText } from '../model/series.js';
import { hrefOf } from './page.js';

/** @import { ComparedCase, ComparedMetric, Comparison } from '../../../reports/schema/types.d.ts' */
/** @import { MetricNames } from '../../../site/assets/js/metric-names.js' */
/** @import { Entry } from '../collect/record.js' */
/** @import { System } from '../collect/systems.js' */
/** @import { Overview } from '../model/site-model.js' */

/**
 * Metrics of compared cases, as tables print them.
 * @typedef {{ title: string, unit: string, gated: boolean, verdict: string, reason: string | null, base: string,
 *   head: string, interval: string, tolerance: string, mde: string }} ChangeRow
 * @typedef {{ title: string, href: string, row: ChangeRow, metric: ComparedMetric, of: { system: string, environment: string,
 *   case: string } }} CaseChange title: of its case; href: '' where it has no record
 */

/** Which verdicts of a metric want to be seen most. */
const order = ['worse', 'unclear', 'better', 'same'];

/**
 * The metrics of a compared case: gated ones first, then what wants to be seen most.
 * @param {ComparedCase} compared
 * @param {MetricNames} names
 * @returns {ChangeRow[]}
 */
export function changeRows(compared, names) {
  return [...compared.metrics]
    .sort(
      (a, b) =>
        Number(b.gated) - Number(a.gated) || byVerdict(a, b) || names.orderOf(a.metric) - names.orderOf(b.metric),
    )
    .map((one) => changeRow(one, names));
}

/**
 * Heads the column of confidence intervals with their level, which all of a comparison hold together.
 * @param {{ budget: { alpha: number } }} comparison
 */
export const confidenceHeading = ({ budget }) => `${formatLevel(budget.alpha)} CI`;

/** @param {{ verdict: string }} a @param {{ verdict: string }} b */
const byVerdict = (a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict);

/**
 * The gated metrics of all cases of a comparison, what wants to be seen most first.
 * @param {Comparison} comparison
 * @param {Entry[]} entries the records of its head
 * @param {Overview} overview
 * @returns {CaseChange[]}
 */
export function gatedChanges({ cases }, entries, { names, systems }) {
  const pages = new Map(entries.map((entry) => [caseKey(entry), entry.url]));
  const severalSystems = new Set(cases.map((one) => one.system)).size > 1;
  const all = cases.flatMap((one) => {
    const url = pages.get(caseKey(one));
    return one.metrics
      .filter(({ gated }) => gated)
      .map((metric) => ({
        title: caseTitle(one, systems, severalSystems),
        href: url ? hrefOf(url, 'compared') : '',
        row: changeRow(metric, names),
        metric,
        of: { system: one.system, environment: one.environment, case: one.case },
      }));
  });
  return all.sort((a, b) => byVerdict(a.row, b.row));
}

/**
 * @param {ComparedMetric} one
 * @param {MetricNames} names
 * @returns {ChangeRow}
 */
export function changeRow(one, names) {
  const print = names.printOf(one.metric, one.unit, [one.base, one.head]);
  return {
    title: names.titleOf(one.metric),
    unit: print.unit,
    gated: one.gated,
    verdict: one.verdict,
    reason: one.reason,
    base: formatAs(one.base, print),
    head: formatAs(one.head, print),
    interval: formatRatioInterval(one),
    tolerance: sizeOf(one.tolerance, one),
    mde: sizeOf(one.mde, one),
  };
}

/** @param {number | null} size @param {{ scale: string, unit: string }} of what @returns {string} of a change */
const sizeOf = (size, { scale, unit }) =>
  scale === 'difference' && unit === 'bytes' ? formatBytes(size) : formatPercent(size);

/**
 * What tells a case from the others of its page.
 * @param {ComparedCase} one
 * @param {System[]} systems
 * @param {boolean} several whether the page has cases of several systems
 * @returns {string} "cluster, CPU time, cpuTime 1"
 */
export function caseTitle(one, systems, several) {
  const {
    title = one.system,
    environments = [],
    scenarios = [],
  } = systems.find(({ name }) => name === one.system) ?? {};
  const scenario = scenarios.find(({ name }) => name === one.scenario)?.title ?? one.title ?? one.scenario ?? one.case;
  const environment = environments.length > 1 && one.environment;
  return [several && title, environment, scenario, valuesText(one)].filter(Boolean).join(', ');
}
