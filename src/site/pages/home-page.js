import { formatTime } from '../../format.js';
import { countsOf, standingOf } from '../model/latest.js';
import { groupBy } from '../model/series.js';
import { nameOf } from '../model/site-model.js';
import { confidenceHeading } from './change-rows.js';
import { changesOf, sentenceOf } from './changes-page.js';
import { comparisonUrl, duetUrl } from './comparison-page.js';
import { entriesList, listCsv } from './csv.js';
import { link } from './page.js';

/** @typedef {import('../model/site-model.js').Overview} Overview */

/**
 * The first page: every system with its latest verdicts, what changed last, and the versions.
 * @param {Overview} overview
 * @returns {import('./page.js').Page}
 */
export function homePage(overview) {
  const { versions, systems, title } = overview;
  const newest = [...versions].reverse();
  return {
    kind: 'home',
    url: 'index',
    title,
    time: newest[0]?.time ?? '',
    description: `Load benchmarks of ${systems.map((system) => system.title).join(', ')}.`,
    model: {
      systems: systems.map((system) => systemRow(system, newest, overview)),
      changes: lastChanges(overview),
      duet: lastDuet(overview),
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

/**
 * @param {import('../collect/systems.js').System} system
 * @param {import('../model/series.js').Version[]} newest newest first
 * @param {Overview} overview
 */
function systemRow(system, newest, overview) {
  const { name, title, description } = system;
  const version = newest.find(({ entries }) => entries.some((entry) => entry.system === name));
  return {
    ...link(title, `systems/${name}`),
    description,
    counts: standingOf(system, overview),
    version: version && { ...link(nameOf(version), version.url), time: formatTime(version.time) },
  };
}

/**
 * What the newest version that was compared changed; a last run without a baseline is said to have none.
 * @param {Overview} overview
 * @returns {{ text: string, more: { text: string, url: string } | null, rows: Record<string, any>[], confidence?: string } | null} null: nothing
 *   has been compared
 */
function lastChanges(overview) {
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
  const all = judged.comparison.cases.filter((/** @type {any} */ { comparison }) => comparison).length;
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

/** @param {Overview} overview */
function lastDuet({ duet, comparisons }) {
  const judged = duet && comparisons.get(duet.id);
  return judged
    ? {
        ...link(`${duet.outcome.head} against ${duet.outcome.baseline}`, duetUrl(duet.id)),
        headline: judged.headline,
        time: formatTime(duet.time),
      }
    : null;
}
