import type { ComparedCase, ComparedMetric, Comparison } from '../../../reports/schema/types.d.ts';
import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import { formatAs, formatBytes, formatLevel, formatPercent, formatRatioInterval } from '../../base/format.js';
import type { Entry } from '../collect/collect-record.js';
import type { System } from '../collect/systems.js';
import { caseKey, valuesText } from '../model/series.js';
import type { Overview } from '../model/site-model.js';
import { byVerdictOfMetric } from '../model/verdict.js';
import { hrefOf } from './page.js';

/** Metrics of compared cases, as tables print them. */
export type ChangeRow = {
  title: string;
  unit: string;
  gated: boolean;
  verdict: string;
  reason: string | null;
  base: string;
  head: string;
  interval: string;
  tolerance: string;
  mde: string;
};

/** title: of its case; href: '' where it has no record */
export type CaseChange = {
  title: string;
  href: string;
  row: ChangeRow;
  metric: ComparedMetric;
  of: { system: string; environment: string; case: string };
};

/** The metrics of a compared case: gated ones first, then what wants to be seen most. */
export function changeRows(compared: ComparedCase, names: MetricNames): ChangeRow[] {
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
 * Heads the column of confidence intervals with their level, which all of a comparison hold together: each end may miss with a
 * chance of alpha.
 */
export const confidenceHeading = ({ budget }: { budget: { alpha: number } }) => `${formatLevel(2 * budget.alpha)} CI`;

/**
 * The gated metrics of all cases of a comparison, what wants to be seen most first.
 * @param entries the records of its head
 */
export function gatedChanges({ cases }: Comparison, entries: Entry[], { names, systems }: Overview): CaseChange[] {
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

export function changeRow(comparedMetric: ComparedMetric, names: MetricNames): ChangeRow {
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

/**
 * @param of what
 * @returns of a change
 */
const sizeOf = (size: number | null, { scale, unit }: { scale: string; unit: string }): string =>
  scale === 'difference' && unit === 'bytes' ? formatBytes(size) : formatPercent(size);

/**
 * What tells a case from the others of its page.
 * @param several whether the page has cases of several systems
 * @returns "cluster, CPU time, cpuTime 1"
 */
export function caseTitle(comparedCase: ComparedCase, systems: System[], several: boolean): string {
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
