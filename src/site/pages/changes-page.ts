import { counted, formatChangeInterval, formatTime } from '../../base/format.js';
import { shortCommit } from '../charts/chain.js';
import type { Chart } from '../charts/chart.js';
import type { Draw } from '../charts/drawings.js';
import { chainSparkline, sparkline } from '../charts/sparkline.js';
import type { Entry } from '../collect/collect-record.js';
import { caseKey } from '../model/series.js';
import { nameOf, type Overview } from '../model/site-model.js';
import { atom } from './atom.js';
import { type CaseChange, confidenceHeading } from './change-rows.js';
import { changesOf, type DuetChange, duetChangesOf, sentenceOf, type VersionChange } from './changes.js';
import { comparisonUrl, uncomparedOf } from './comparison-page.js';
import { type CsvColumn, csv } from './csv.js';
import { sidesOf } from './lately.js';
import { link, type Page } from './page.js';
import { asSentence } from './text.js';

/** So many rows of a section have a picture of the metric over time. */
const mostTrends = 10;
/** So many of the newest records are in one. */
const mostPoints = 30;

/** Regressions and improvements over time: of each version and each duet, what is better or worse than what came before it. */
export async function changesPage(overview: Overview, draw: Draw): Promise<Page> {
  const changes = changesOf(overview);
  const duets = duetChangesOf(overview);
  const telling = duets.filter(({ duet, changed }) => changed.length > 0 || duet.outcome.verdict === 'fail');
  const sections = [
    ...(await Promise.all(changes.map((change) => shown(change, overview, draw)))),
    ...(await Promise.all(telling.map((change) => shownDuet(change, overview, draw)))),
  ].sort((a, b) => b.at.localeCompare(a.at));
  return {
    kind: 'changes',
    url: 'changes',
    title: 'Changes',
    time: sections[0]?.at ?? '',
    description:
      'Regressions and improvements over time: of each version and each duet, what is better or worse than what came before it.',
    model: { changes: sections, silent: silentText(duets, telling), feed: overview.url !== null },
    files: {
      json: `${JSON.stringify({ changes: changes.map(listed), duets: duets.map(listedDuet) })}\n`,
      csv: csv(
        changeColumns,
        changes.flatMap(({ version, changed }) => changed.map((change) => ({ version, ...change }))),
      ),
      ...(overview.url === null ? {} : { atom: feedOf(changes, overview, overview.url) }),
    },
  };
}

/** @returns what is said of those without a section of their own */
function silentText(duets: DuetChange[], telling: DuetChange[]): string {
  const silent = duets.length - telling.length;
  if (silent === 0) return '';
  return `${counted(silent, telling.length > 0 ? 'other duet' : 'duet')} found nothing better or worse for certain.`;
}

async function shown(
  { version, judged, bases, changed, uncompared, passing, failing }: VersionChange,
  overview: Overview,
  draw: Draw,
) {
  const before = overview.versions.filter((candidate) => bases.includes(candidate.version));
  const trendOf = ({ of, metric }: CaseChange) =>
    sparkline(metric.metric, (overview.series.get(caseKey(of)) ?? []).slice(-mostPoints), overview.names, nameOf);
  return {
    id: version.version,
    at: version.time,
    ...link(nameOf(version), comparisonUrl(version)),
    time: formatTime(version.time),
    sides: `against ${bases.join(', ')}`,
    verdict: '',
    commits: rangeText(commitOf(before.flatMap(({ entries }) => entries)), commitOf(version.entries)),
    headline: sentenceOf(judged.comparison),
    confidence: confidenceHeading(judged.comparison),
    rows: await rowsWithTrends(changed, trendOf, draw),
    uncompared,
    passing,
    failing,
  };
}

async function shownDuet({ duet, judged, changed }: DuetChange, overview: Overview, draw: Draw) {
  const chain = overview.chains.find(({ duets }) => duets.includes(duet));
  const trendOf = ({ of, metric }: CaseChange) => {
    const line = chain?.lines.find(
      (chainLine) => caseKey(chainLine) === caseKey(of) && chainLine.metric === metric.metric,
    );
    return line ? chainSparkline(line, overview.names.titleOf(metric.metric)) : null;
  };
  const { base, head } = duet.outcome.commits ?? {};
  return {
    id: `duet-${duet.name}`,
    at: duet.time,
    ...link(sidesOf(duet), duet.url),
    time: formatTime(duet.time),
    sides: 'a duet',
    verdict: duet.outcome.verdict,
    commits: rangeText(base ?? null, head ?? null),
    headline: asSentence(judged.finding),
    confidence: confidenceHeading(judged.comparison),
    rows: await rowsWithTrends(changed, trendOf, draw),
    uncompared: uncomparedOf(judged.comparison),
    passing: [],
    failing: [],
  };
}

const rowsWithTrends = (changed: CaseChange[], trendOf: (change: CaseChange) => Chart | null, draw: Draw) =>
  Promise.all(
    changed.map(async (change, i) => {
      const { title, href, row } = change;
      const trend = i < mostTrends ? ((await draw([trendOf(change)]))[0] ?? null) : null;
      return { title, href, row, trend };
    }),
  );

/** @returns null: they are of none, or of several */
function commitOf(entries: Entry[]): string | null {
  const commits = new Set(entries.map(({ record }) => record.commit));
  return commits.size === 1 ? ([...commits][0] ?? null) : null;
}

/** @returns as git names it: "a1b2c3d..d4e5f6a"; '' where it is not known */
const rangeText = (base: string | null, head: string | null): string =>
  base && head && base !== head ? `${shortCommit(base)}..${shortCommit(head)}` : '';

const listed = ({ version, judged, bases, changed, uncompared, passing, failing }: VersionChange) => ({
  version: version.version,
  kept: version.kept,
  time: version.time,
  baselines: bases,
  comparison: `${comparisonUrl(version)}.json`,
  headline: judged.headline,
  uncompared,
  newly_passing: passing.map(({ title }) => title),
  newly_failing: failing.map(({ title }) => title),
  metrics: changed.map(changedMetric),
});

const listedDuet = ({ duet, judged, changed }: DuetChange) => ({
  duet: duet.name,
  kept: duet.kept,
  time: duet.time,
  verdict: duet.outcome.verdict,
  commits: duet.outcome.commits ?? null,
  comparison: `${duet.url}.json`,
  headline: judged.headline,
  metrics: changed.map(changedMetric),
});

function changedMetric({ of, metric }: CaseChange) {
  const { metric: name, unit, verdict, base, head, ratio, low, high } = metric;
  return { ...of, metric: name, unit, verdict, base, head, ratio, low, high };
}

const changeColumns: CsvColumn<CaseChange & Pick<VersionChange, 'version'>>[] = [
  ['version', ({ version }) => version.version],
  ['time', ({ version }) => version.time],
  ['system', ({ of }) => of.system],
  ['environment', ({ of }) => of.environment],
  ['case', ({ of }) => of.case],
  ['metric', ({ metric }) => metric.metric],
  ['verdict', ({ metric }) => metric.verdict],
  ['base', ({ metric }) => metric.base],
  ['head', ({ metric }) => metric.head],
  ['change', ({ metric }) => metric.ratio],
  ['low', ({ metric }) => metric.low],
  ['high', ({ metric }) => metric.high],
];

/** @param url of the site */
const feedOf = (changes: VersionChange[], { title }: Overview, url: string) =>
  atom({
    title: `${title}: changes`,
    site: url,
    page: 'changes.html',
    self: 'changes.atom',
    time: changes[0]?.version.time ?? '1970-01-01T00:00:00Z',
    entries: changes
      .filter(({ version }) => version.kept)
      .slice(0, 50)
      .map(({ version, judged, changed, passing, failing }) => ({
        title: `${version.version}: ${sentenceOf(judged.comparison)}`,
        time: version.time,
        page: `${comparisonUrl(version)}.html`,
        lines: [
          ...changed.map(
            ({ title: where, row, metric }) => `${row.verdict}: ${where}, ${row.title} ${formatChangeInterval(metric)}`,
          ),
          ...failing.map((turned) => `misses its thresholds now: ${turned.title}`),
          ...passing.map((turned) => `meets its thresholds again: ${turned.title}`),
        ],
      })),
  });
