import { formatAs, formatBytes, formatLevel, formatPercent, formatRatioInterval } from '../../base/format.js';
import { caseKey, valuesText } from '../model/series.js';
import { byVerdictOfMetric } from '../model/verdict.js';
import { hrefOf } from './page.js';

/** @import { ComparedCase, ComparedMetric, Comparison } from '../../../reports/schema/types.d.ts' */
/** @import { MetricNames } from '../../../site/assets/js/metric-names.js' */
/** @import { Entry } from '../collect/collect-record.js' */
/** @import { System } from '../collect/systems.js' */
/** @import { Overview } from '../model/site-model.js' */

/**
 * Metrics of compared cases, as tables print them.
 * @typedef {{ title: string, unit: string, gated: boolean, verdict: string, reason: string | null, base: string,
 *   head: string, interval: string, tolerance: string, mde: string }} ChangeRow
 * @typedef {{ title: string, href: string, row: ChangeRow, metric: ComparedMetric, of: { system: string, environment: string,
 *   case: string } }} CaseChange title: of its case; href: '' where it has no record
 */

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
        Number(b.gated) - Number(a.gated) ||
        byVerdictOfMetric(a, b) ||
        names.orderOf(a.metric) - names.orderOf(b.metric),
    )
    .map((comparedMetric) => changeRow(comparedMetric, names));
}

/**
 * Heads the column of confidence intervals with their level, which all of a comparison hold together.
 * @param {{ budget: { alpha: number } }} comparison
 */
export const confidenceHeading = ({ budget }) => `${formatLevel(budget.alpha)} CI`;

/**
 * The gated metrics of all cases of a comparison, what wants to be seen most first.
 * @param {Comparison} comparison
 * @param {Entry[]} entries the records of its head
 * @param {Overview} overview
 * @returns {CaseChange[]}
 */
export function gatedChanges({ cases }, entries, { names, systems }) {
  const pages = new Map(entries.map((entry) => [caseKey(entry), entry.url]));
  const severalSystems = new Set(cases.map((comparedCase) => comparedCase.system)).size > 1;
  const all = cases.flatMap((comparedCase) => {
    const url = pages.get(caseKey(comparedCase));
    return comparedCase.metrics
      .filter(({ gated }) => gated)
      .map((metric) => ({
        title: caseTitle(comparedCase, systems, severalSystems),
        href: url ? hrefOf(url, 'compared') : '',
        row: changeRow(metric, names),
        metric,
        of: { system: comparedCase.system, environment: comparedCase.environment, case: comparedCase.case },
      }));
  });
  return all.sort((a, b) => byVerdictOfMetric(a.row, b.row));
}

/**
 * @param {ComparedMetric} comparedMetric
 * @param {MetricNames} names
 * @returns {ChangeRow}
 */
export function changeRow(comparedMetric, names) {
  const print = names.printOf(comparedMetric.metric, comparedMetric.unit, [comparedMetric.base, comparedMetric.head]);
  return {
    title: names.titleOf(comparedMetric.metric),
    unit: print.unit,
    gated: comparedMetric.gated,
    verdict: comparedMetric.verdict,
    reason: comparedMetric.reason,
    base: formatAs(comparedMetric.base, print),
    head: formatAs(comparedMetric.head, print),
    interval: formatRatioInterval(comparedMetric),
    tolerance: sizeOf(comparedMetric.tolerance, comparedMetric),
    mde: sizeOf(comparedMetric.mde, comparedMetric),
  };
}

/** @param {number | null} size @param {{ scale: string, unit: string }} of what @returns {string} of a change */
const sizeOf = (size, { scale, unit }) =>
  scale === 'difference' && unit === 'bytes' ? formatBytes(size) : formatPercent(size);

/**
 * What tells a case from the others of its page.
 * @param {ComparedCase} comparedCase
 * @param {System[]} systems
 * @param {boolean} several whether the page has cases of several systems
 * @returns {string} "cluster, CPU time, cpuTime 1"
 */
export function caseTitle(comparedCase, systems, several) {
  const {
    title = comparedCase.system,
    environments = [],
    scenarios = [],
  } = systems.find(({ name }) => name === comparedCase.system) ?? {};
  const scenario =
    scenarios.find(({ name }) => name === comparedCase.scenario)?.title ??
    comparedCase.title ??
    comparedCase.scenario ??
    comparedCase.case;
  const environment = environments.length > 1 && comparedCase.environment;
  return [several && title, environment, scenario, valuesText(comparedCase)].filter(Boolean).join(', ');
}
