import type { BenchRecord, ComparedMetric } from '../../../reports/schema/types.d.ts';
import type { MetricNames } from '../../../site/assets/js/metric-names.js';
import { metricGroups, metricRow } from '../../../site/assets/js/metric-rows.js';
import { thresholdRow } from '../../../site/assets/js/threshold-row.js';
import { counted, formatDuration, formatPercent, formatTime, withUnit } from '../../base/format.js';
import { searchChart } from '../charts/capacity.js';
import type { Draw } from '../charts/drawings.js';
import { latencyDistribution } from '../charts/latency-distribution.js';
import { ratios } from '../charts/ratios.js';
import { moreOverTime, resources } from '../charts/resources.js';
import { timeline } from '../charts/timeline.js';
import { usersChart } from '../charts/users-chart.js';
import type { Entry } from '../collect/collect-record.js';
import { intendedOf } from '../model/intended.js';
import { caseKey, differenceOf, valuesText } from '../model/series.js';
import { changeTags, comparedOf, nameOf, type Overview, outcomeOf } from '../model/site-model.js';
import { headlineOf, tagsOf, verdictOf } from '../model/verdict.js';
import { versionTable } from './case-table.js';
import { changeRows, confidenceHeading } from './change-rows.js';
import { compareHref, recordName } from './compare-page.js';
import { recordCsv } from './csv.js';
import { faultRows } from './fault-rows.js';
import { machineRows } from './machine-rows.js';
import { link, type Page } from './page.js';
import { partTable } from './part-table.js';
import { scriptTable } from './script-table.js';
import { serviceParts } from './service-parts.js';

/** The page of one record: all that is known of one case at one version. */
export async function recordPage(entry: Entry, overview: Overview, draw: Draw): Promise<Page> {
  const { record, url } = entry;
  const system = overview.systems.find(({ name }) => name === entry.system);
  const compared = comparedOf(overview, entry);
  const judged = overview.comparisons.get(entry.version);
  const confidence = judged ? confidenceHeading(judged.comparison) : '';
  const base = baseOf(entry, overview);
  const values = valuesText(record);
  const heading = [record.title || record.scenario, values].filter(Boolean).join(', ');
  const verdict = verdictOf(entry, outcomeOf(overview, entry));
  const figures = figuresOf(record, overview.names);
  return {
    kind: 'record',
    url,
    title: `${heading} · ${system?.title ?? entry.system} ${nameOf(entry)}`,
    time: record.time,
    description: `${verdict.verdict}: ${figureText(figures)}`,
    model: {
      heading,
      verdict,
      tags: [...tagsOf(entry), ...changeTags(overview, entry)],
      kept: entry.kept,
      path: [
        link(system?.title ?? entry.system, `systems/${entry.system}`),
        link(nameOf(entry), `versions/${entry.version}`),
      ],
      facts: factsOf(entry),
      compare: compareHref({ base: base ? recordName(base) : '', head: recordName(entry) }),
      figures,
      findings: findingsOf(record, overview.names),
      charts: await draw([
        searchChart(record, overview.names),
        latencyDistribution(entry, base, nameOf),
        timeline(entry),
      ]),
      more: await draw([resources(entry), usersChart(record), ...moreOverTime(entry, overview.names)]),
      faults: faultRows(record.faults ?? []),
      thresholds: record.thresholds.map((threshold) => thresholdRow(threshold)),
      comparison: compared?.comparison && {
        ...compared.comparison,
        session_sd: compared.comparison.session_sd === null ? '' : formatPercent(compared.comparison.session_sd),
        rows: changeRows(compared, overview.names),
        confidence,
        charts: await draw([
          ratios(compared.metrics.map(ratioOf(overview)), { title: 'Metrics of this case', confidence }),
        ]),
      },
      groups: metricGroups(record.metrics, overview.names),
      parts: [
        partTable('Groups', 'group', record.groups ?? {}, overview.names),
        partTable('Requests', 'request', record.requests, overview.names),
        partTable('Services', 'service', serviceParts(record), overview.names),
        scriptTable(record),
      ].filter((part) => part !== null),
      versions: versionTable(entry, overview),
      machine: machineRows(record),
      command: record.command,
      definition: record.definition,
      seed: String(record.seed ?? 'none'),
    },
    files: { json: entry.text, csv: recordCsv(record) },
  };
}

/** The record that another is drawn beside: the baseline it was compared with, else the newest comparable one before it. */
function baseOf(entry: Entry, overview: Overview): Entry | null {
  const series = overview.series.get(caseKey(entry)) ?? [];
  const { possible, baseline } = comparedOf(overview, entry)?.comparison ?? {};
  if (possible) return series.find(({ version }) => version === baseline) ?? null;
  const earlier = series.slice(0, series.indexOf(entry)).filter(({ record }) => record.verdict !== 'invalid');
  return earlier.reverse().find((before) => !differenceOf(before, entry)) ?? null;
}

const ratioOf =
  ({ names }: Overview) =>
  (metric: ComparedMetric) => ({ label: names.titleOf(metric.metric), metric });

const factsOf = ({ record, environment, kept, version }: Entry) =>
  [
    `environment ${environment}`,
    record.profile && `profile ${record.profile}`,
    formatTime(record.time),
    `${counted(record.rounds, 'round')}, ${formatDuration(record.window.seconds)} measured`,
    record.commit && `commit ${record.commit.slice(0, 10)}${record.dirty ? ' with changes' : ''}`,
    !kept && `not kept: run ${version}`,
  ].filter(Boolean);

const findingsOf = ({ findings, metrics }: BenchRecord, names: MetricNames) =>
  findings.map((finding) => ({
    ...finding,
    metrics: finding.metrics.filter((name) => metrics[name]).map(names.titleOf),
  }));

const figuresOf = (record: BenchRecord, names: MetricNames) =>
  headlineOf([record], names.headline)
    .filter((name) => record.metrics[name])
    .map((name) => {
      const { name: shown, metric } = intendedOf(record.metrics, name) ?? { name, metric: record.metrics[name] };
      return metricRow(shown, names.titleOf(shown), metric, names);
    });

const figureText = (figures: ReturnType<typeof figuresOf>) =>
  figures
    .slice(0, 4)
    .filter(({ valid }) => valid)
    .map(({ title, text, unit }) => `${title} ${withUnit(text, unit)}`)
    .join(', ');
