import { formatTime } from '../../base/format.js';
import type { Draw } from '../charts/drawings.js';
import type { System } from '../collect/systems.js';
import { countsOf, duetCasesOf, standingOf, unmeasuredOf } from '../model/latest.js';
import { groupBy, type Version } from '../model/series.js';
import { nameOf, type Overview } from '../model/site-model.js';
import { confidenceHeading } from './change-rows.js';
import { changesOf, sentenceOf } from './changes.js';
import { comparisonUrl } from './comparison-page.js';
import { entriesList, listCsv } from './csv.js';
import { headlineNumber } from './headline.js';
import { duetRows, happened, sidesOf } from './lately.js';
import { hrefOf, link, type Page } from './page.js';

/** As much as fits beside the systems on one screen. */
const mostLately = 6;

/**
 * The first page: every system with its number and latest verdicts, what happened lately, what changed last, and the versions.
 */
export async function homePage(overview: Overview, draw: Draw): Promise<Page> {
  const { versions, systems, title } = overview;
  const newest = [...versions].reverse();
  const lately = happened(overview).slice(0, mostLately);
  const shown = new Set(lately.map(({ url }) => url));
  return {
    kind: 'home',
    url: 'index',
    title,
    time: newest[0]?.time ?? '',
    description: `Load benchmarks of ${systems.map((system) => system.title).join(', ')}.`,
    model: {
      systems: await Promise.all(systems.map((system) => systemRow(system, newest, overview, draw))),
      changes: lastChanges(overview),
      lately,
      older: duetRows([...overview.duets].reverse(), overview).filter(({ url }) => !shown.has(url)),
      versions: newest.map((version) => ({
        ...link(nameOf(version), version.url),
        time: formatTime(version.time),
        kept: version.kept,
        systems: [...groupBy(version.entries, ({ system }) => system)].map(([name, entries]) => ({
          name: systems.find((system) => system.name === name)?.title ?? name,
          counts: countsOf(entries, [], overview),
        })),
      })),
    },
    files: {
      json: `${JSON.stringify({ title, records: entriesList(versions.flatMap(({ entries }) => entries)) })}\n`,
      csv: listCsv(versions.flatMap(({ entries }) => entries)),
    },
  };
}

/** @param newest newest first */
async function systemRow(system: System, newest: Version[], overview: Overview, draw: Draw) {
  const { name, title, description } = system;
  const number = headlineNumber(system, overview);
  const version = newest.find(({ entries }) => entries.some((entry) => entry.system === name));
  const duet = duetCasesOf(system, overview).at(-1)?.duet;
  return {
    ...link(title, `systems/${name}`),
    description: firstClause(description),
    headline: number && { ...number, url: hrefOf(number.url), trend: (await draw([number.trend]))[0] ?? null },
    counts: standingOf(system, overview),
    unmeasured: unmeasuredOf(system, overview),
    version: version
      ? { ...link(nameOf(version), version.url), day: dayBeside(nameOf(version), version.time) }
      : duet && { ...link(sidesOf(duet), duet.url), day: dayBeside(sidesOf(duet), duet.time) },
  };
}

/** The day of a time, unless a name says it already. */
function dayBeside(name: string, time: string) {
  const day = formatTime(time).slice(0, 'YYYY-MM-DD'.length);
  return name.includes(day) ? '' : day;
}

/** So much of a description has room on a card; its own page has all of it. */
const mostLetters = 110;

/** @returns up to its first colon or full stop */
function firstClause(text: string): string {
  const [clause] = text.split(/[:.;](?=\s|$)/);
  return clause.length <= mostLetters ? clause : `${clause.slice(0, mostLetters).replace(/\s+\S*$/, '')} …`;
}

/**
 * The changes of the newest version that was compared; a last run without a baseline is said to have none.
 * @returns null: nothing has been compared
 */
function lastChanges(overview: Overview): {
  text: string;
  more: { text: string; url: string } | null;
  rows: Record<string, unknown>[];
  confidence?: string;
} | null {
  const { versions, run } = overview;
  const newest = versions.at(-1);
  const isRun = newest && !newest.kept;
  const [change] = changesOf(overview);
  const silent =
    isRun && change?.version !== newest && run?.outcome
      ? 'The last run was not compared: it had no baseline, and thresholds alone decided.'
      : '';
  if (!change) return silent ? { text: silent, more: null, rows: [] } : null;
  const { version, judged, bases, changed, uncompared } = change;
  const all = judged.comparison.cases.filter(({ comparison }) => comparison).length;
  const done = all - uncompared.reduce((sum, { count }) => sum + count, 0);
  const name = version.kept ? `Version ${version.version}` : 'The last run';
  const rest = uncompared.length ? ` (not possible elsewhere: ${uncompared[0].reason})` : '';
  const text = done
    ? `${name} was compared with ${bases.join(', ')} in ${done} of ${all} cases${rest}. ${sentenceOf(judged.comparison)}`
    : `${name} could not be compared with ${bases.join(', ')}: ${uncompared[0]?.reason}.`;
  return {
    text: [silent, text].filter(Boolean).join(' '),
    more: link('All of its metrics', comparisonUrl(version)),
    confidence: confidenceHeading(judged.comparison),
    rows: changed.slice(0, 20).map(({ title, href, row }) => ({ title, href, row })),
  };
}
