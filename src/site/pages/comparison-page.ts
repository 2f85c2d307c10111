import type { ComparedCase, ComparedMetric, Comparison } from '../../../reports/schema/types.d.ts';
import { counted, formatTime } from '../../base/format.js';
import type { Draw } from '../charts/drawings.js';
import { intervalAxis, reachOf } from '../charts/interval-bar.js';
import type { Duet } from '../collect/collect-duets.js';
import type { Entry } from '../collect/collect-record.js';
import type { JudgedComparison } from '../model/comparisons.js';
import { caseKey, groupBy, type Version } from '../model/series.js';
import { nameOf, type Overview } from '../model/site-model.js';
import { byVerdict } from '../model/verdict.js';
import { confidenceHeading } from './change-rows.js';
import { comparedCase } from './compared-case.js';
import { type CsvColumn, csv } from './csv.js';
import { hrefOf, link, type Page } from './page.js';
import { asSentence } from './text.js';

/** How a version came out against those before it, metric by metric, as on a pull request. */
export const versionComparison = (
  version: Version,
  judged: JudgedComparison,
  overview: Overview,
  draw: Draw,
): Promise<Page> =>
  comparisonPage(
    {
      url: comparisonUrl(version),
      judged,
      entries: version.entries,
      path: [link(nameOf(version), version.url)],
      heading: `${version.kept ? `Version ${version.version}` : 'The last run'} against ${basesOf(judged).join(', ')}`,
    },
    overview,
    draw,
  );

/** A duet. Its records are of no version, so nothing leads to them. */
export const duetComparison = (
  { url, outcome }: Duet,
  judged: JudgedComparison,
  overview: Overview,
  draw: Draw,
): Promise<Page> =>
  comparisonPage(
    {
      url,
      judged,
      entries: [],
      path: [],
      heading: `Duet: ${outcome.head} against ${outcome.baseline}`,
    },
    overview,
    draw,
  );

export const comparisonUrl = ({ url }: { url: string }) => `${url}/compared`;

/** What the cases of a comparison were compared with. */
export function basesOf({ comparison }: JudgedComparison): string[] {
  const found = comparison.cases.flatMap((comparedCase) => comparedCase.comparison?.baseline ?? []);
  return found.length ? [...new Set(found)] : ['a baseline'];
}

/** @param what entries: the records of head */
async function comparisonPage(
  {
    url,
    heading,
    path,
    judged,
    entries,
  }: {
    url: string;
    heading: string;
    path: { text: string; url: string }[];
    judged: JudgedComparison;
    entries: Entry[];
  },
  overview: Overview,
  draw: Draw,
): Promise<Page> {
  const { comparison, finding, notes, method } = judged;
  const pages = new Map(entries.map((entry) => [caseKey(entry), hrefOf(entry.url, 'compared')]));
  const reach = reachOf(comparison.cases.flatMap((comparedCase) => comparedCase.metrics));
  const cases = [];
  const sorted = worstFirst(comparison.cases);
  const systems = new Set(sorted.map(({ system }) => system)).size > 1;
  for (const [i, compared] of sorted.slice(0, mostCases).entries()) {
    const page = { reach, drawn: i < mostDrawn, several: sorted.length > 1, systems };
    cases.push(await comparedCase(compared, pages.get(caseKey(compared)) ?? '', page, overview, draw));
  }
  return {
    kind: 'comparison',
    url,
    title: heading,
    time: comparison.time,
    description: asSentence(finding),
    model: {
      path,
      heading,
      verdict: comparison.verdict,
      finding: asSentence(finding),
      notes: [...notes, ...(comparison.notes ?? [])],
      method,
      command: comparison.command,
      time: formatTime(comparison.time),
      confidence: confidenceHeading(comparison),
      axis: intervalAxis(reach),
      cases,
      rest: sorted.slice(mostCases).map(({ system, environment, case: name, verdict, reason }) => ({
        text: [system, environment, name].join(' '),
        verdict,
        reason,
      })),
      uncompared: uncomparedOf(comparison),
    },
    files: { json: `${JSON.stringify(comparison)}\n`, csv: comparisonCsv(comparison) },
  };
}

/** More cases than this are a list, and their numbers stand in the CSV file beside the page; fewer have charts. */
const [mostCases, mostDrawn] = [20, 6];

const worstFirst = (cases: ComparedCase[]) => [...cases].sort(byVerdict);

/** The cases that could not be compared, those with one reason together. */
export function uncomparedOf({ cases }: Comparison): { count: number; text: string; reason: string; cases: string }[] {
  const left = cases.filter(({ comparison }) => comparison && !comparison.possible);
  return [...groupBy(left, ({ comparison }) => comparison?.reason ?? '')].map(([reason, inside]) => ({
    count: inside.length,
    text: counted(inside.length, 'case'),
    reason,
    cases: inside
      .map((comparedCase) => [comparedCase.system, comparedCase.environment, comparedCase.case].join(' '))
      .join('; '),
  }));
}

const keysOfMetric = [
  'metric',
  'unit',
  'direction',
  'gated',
  'verdict',
  'scale',
  'base',
  'head',
  'ratio',
  'low',
  'high',
  'tolerance',
  'mde',
  'reason',
] as const;

const comparisonCsv = ({ cases }: Comparison) =>
  csv(
    [
      ['system', ({ compared }) => compared.system],
      ['environment', ({ compared }) => compared.environment],
      ['case', ({ compared }) => compared.case],
      ['baseline', ({ compared }) => compared.comparison?.baseline],
      ...keysOfMetric.map((key): CsvColumn<{ metric: ComparedMetric }> => [key, ({ metric }) => metric[key]]),
    ],
    cases.flatMap((compared) => compared.metrics.map((metric) => ({ compared, metric }))),
  );
