import type { ComparedMetric, Threshold } from '../../../reports/schema/types.d.ts';
import { isMost, limitsOf } from '../../../site/assets/js/latency-lines.js';
import { formatAs, formatChangeInterval, formatPlain, type Print, withUnit } from '../../base/format.js';
import type { Chart } from '../charts/chart.js';
import { intervalBar, reachOf } from '../charts/interval-bar.js';
import { chainSparkline, sparkline } from '../charts/sparkline.js';
import type { Entry } from '../collect/collect-record.js';
import type { Headline, System } from '../collect/systems.js';
import { duetCasesOf } from '../model/latest.js';
import { caseKey, type Version, valuesText } from '../model/series.js';
import { nameOf, type Overview } from '../model/site-model.js';

/** What the first page says of a system. */
type HeadlineNumber = {
  /** "2.61" */
  value: string;
  /** "ms" */
  unit: string;
  /** "latency p95" */
  title: string;
  /** "Hello World, rate 1000"; with the version, where that is not the system's newest */
  of: string;
  /** of the record, or of the duet */
  url: string;
  /** over versions; null: it was measured once */
  trend: Chart | null;
  /** how much of what its threshold allows, on a scale that ends there or at the value; null: it has none */
  limit: { value: number; most: number; end: number; text: string } | null;
  /** against the versions before, as judged, and drawn beside its tolerance (SVG); null: it was not compared */
  change: { text: string; verdict: string; bar: string } | null;
};

/**
 * The number that a spec has chosen for the first page: of the newest version that measured its case.
 * @returns null: none is chosen, or nothing that counts was measured
 */
export function headlineNumber(system: System, overview: Overview): HeadlineNumber | null {
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
      (candidate) => nameOf(versions.find(({ version: of }) => of === candidate.version) as Version),
    ),
    change: changeOf(row),
  };
}

/**
 * The same of the newest duet, where nothing else was measured: head's number under the scenario's own load, and how far it
 * has come over commits.
 */
function ofDuet(system: System, headline: Headline, overview: Overview): HeadlineNumber | null {
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

const changeOf = (row: ComparedMetric | undefined) =>
  row ? { text: formatChangeInterval(row), verdict: row.verdict, bar: intervalBar(row, reachOf([row])) } : null;

const isOf = (system: System, headline: Headline, { record, ...identity }: Entry) =>
  !record.search && isCaseOf(system, headline, { ...identity, scenario: record.scenario, values: record.values });

/** @param identity a case */
function isCaseOf(
  { name, environments, scenarios }: System,
  { scenario, environment, values }: Headline,
  identity: { system: string; environment: string; scenario: string | null; values: Record<string, unknown> },
) {
  const runsIn =
    scenarios.find((each) => each.name === scenario)?.environments ?? environments.map((each) => each.name);
  return (
    identity.system === name &&
    identity.scenario === scenario &&
    identity.environment === (environment ?? runsIn[0] ?? identity.environment) &&
    Object.entries(values).every(([key, value]) => String(identity.values[key]) === value)
  );
}

/** How much a threshold allows: of a percentile of all requests, or of the metric itself. */
function limitOf(
  metric: string,
  value: number,
  thresholds: readonly Pick<
    Threshold,
    'metric' | 'selector' | 'expr' | 'aggregation' | 'percentile' | 'op' | 'value'
  >[],
  print: Print,
): HeadlineNumber['limit'] {
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
