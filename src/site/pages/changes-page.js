import { counted, formatChangeInterval, formatCount, formatTime } from '../../format.js';
import { caseKey } from '../model/series.js';
import { nameOf } from '../model/site-model.js';
import { atom } from './atom.js';
import { confidenceHeading, gatedChanges } from './change-rows.js';
import { basesOf, comparisonUrl, uncomparedOf } from './comparison-page.js';
import { csv } from './csv.js';
import { hrefOf, link } from './page.js';

/**
 * What changed at a version.
 * @typedef {{ version: import('../model/series.js').Version, judged: import('../model/comparisons.js').JudgedComparison, bases: string[],
 *   changed: import('./change-rows.js').CaseChange[], uncompared: ReturnType<typeof uncomparedOf>,
 *   passing: Turned[], failing: Turned[] }} VersionChange changed: gated metrics that are better or worse; uncompared: what
 *   could not be; passing, failing: cases that met their thresholds before and miss them now, and the other way round
 * @typedef {{ title: string, href: string }} Turned
 */

/**
 * Regressions and improvements over time: of each version, what is better or worse than what came before it.
 * @param {import('../model/site-model.js').Overview} overview
 * @returns {import('./page.js').Page}
 */
export function changesPage(overview) {
  const changes = changesOf(overview);
  return {
    kind: 'changes',
    url: 'changes',
    title: 'Changes',
    time: changes[0]?.version.time ?? '',
    description:
      'Regressions and improvements over time: of each version, what is better or worse than what came before it.',
    model: { changes: changes.map(shown), feed: overview.url !== null },
    files: {
      json: `${JSON.stringify({ changes: changes.map(listed) })}\n`,
      csv: csv(
        [
          'version',
          'time',
          'system',
          'environment',
          'case',
          'metric',
          'verdict',
          'base',
          'head',
          'change',
          'low',
          'high',
        ],
        changes.flatMap(rowsOf),
      ),
      ...(overview.url === null ? {} : { atom: feedOf(changes, overview, overview.url) }),
    },
  };
}

/**
 * @param {import('../model/site-model.js').Overview} overview
 * @returns {VersionChange[]} newest first, of the versions that were compared
 */
export const changesOf = (overview) =>
  [...overview.versions]
    .reverse()
    .map((version) => changeOf(version, overview))
    .filter((change) => change !== null);

/**
 * @param {import('../model/series.js').Version} version
 * @param {import('../model/site-model.js').Overview} overview
 * @returns {VersionChange | null} null: it was not compared
 */
export function changeOf(version, overview) {
  const judged = overview.comparisons.get(version.version);
  if (!judged) return null;
  const changed = gatedChanges(judged.comparison, version.entries, overview).filter(({ row }) =>
    ['worse', 'better'].includes(row.verdict),
  );
  return {
    version,
    judged,
    bases: basesOf(judged),
    changed,
    uncompared: uncomparedOf(judged.comparison),
    ...turnedOf(version, judged, overview),
  };
}

/**
 * Cases whose thresholds tell another story than those of the version that they were compared with.
 * @param {import('../model/series.js').Version} version
 * @param {import('../model/comparisons.js').JudgedComparison} judged
 * @param {import('../model/site-model.js').Overview} overview
 */
function turnedOf(version, { comparison }, { series }) {
  /** @type {{ passing: Turned[], failing: Turned[] }} */
  const turned = { passing: [], failing: [] };
  for (const one of comparison.cases) {
    const known = series.get(caseKey(one)) ?? [];
    const [head, base] = [version.version, one.comparison?.baseline].map((name) =>
      known.find((entry) => entry.version === name),
    );
    const [now, before] = [head, base].map((entry) => entry?.record.verdict);
    if (!head || !now || !before || now === before) continue;
    const row = { title: [one.system, one.environment, one.case].join(' '), href: hrefOf(head.url) };
    if (now === 'pass') turned.passing.push(row);
    else if (before === 'pass') turned.failing.push(row);
  }
  return turned;
}

/** @param {VersionChange} change */
const shown = ({ version, judged, bases, changed, uncompared, passing, failing }) => ({
  id: version.version,
  ...link(nameOf(version), comparisonUrl(version)),
  time: formatTime(version.time),
  bases: bases.join(', '),
  headline: sentenceOf(judged.comparison),
  confidence: confidenceHeading(judged.comparison),
  rows: changed.map(({ title, href, row }) => ({ title, href, row })),
  uncompared,
  passing,
  failing,
});

/**
 * @param {any} comparison
 * @returns {string} what changed, in a sentence: what could not be decided is a part of it
 */
export function sentenceOf({ cases }) {
  const compared = cases.filter((/** @type {any} */ one) => one.comparison?.possible);
  if (!compared.length) return 'No case could be compared.';
  const gated = compared.flatMap((/** @type {any} */ one) => one.metrics).filter((/** @type {any} */ one) => one.gated);
  const said = Object.entries(words).flatMap(([verdict, [one, many]]) => {
    const count = gated.filter((/** @type {any} */ metric) => metric.verdict === verdict).length;
    return count ? [`${formatCount(count)} ${count === 1 ? one : many}`] : [];
  });
  const isCertain = gated.some((/** @type {any} */ { verdict }) => ['worse', 'better'].includes(verdict));
  const none = isCertain ? '' : 'none changed for certain: ';
  return `Of ${counted(gated.length, 'metric')} in ${counted(compared.length, 'case')} ${none}${said.join(', ')}.`;
}

/** What is said of so many metrics with a verdict. @type {Record<string, [string, string]>} */
const words = {
  worse: ['got worse', 'got worse'],
  better: ['got better', 'got better'],
  unclear: ['is undecided', 'are undecided'],
  same: ['did not change', 'did not change'],
};

/** @param {VersionChange} change */
const listed = ({ version, judged, bases, changed, uncompared, passing, failing }) => ({
  version: version.version,
  kept: version.kept,
  time: version.time,
  baselines: bases,
  comparison: `${comparisonUrl(version)}.json`,
  headline: judged.headline,
  uncompared,
  newly_passing: passing.map(({ title }) => title),
  newly_failing: failing.map(({ title }) => title),
  metrics: changed.map(({ of, metric }) => {
    const { metric: name, unit, verdict, base, head, ratio, low, high } = metric;
    return { ...of, metric: name, unit, verdict, base, head, ratio, low, high };
  }),
});

/** @param {VersionChange} change */
const rowsOf = ({ version, changed }) =>
  changed.map(({ of, metric }) => [
    version.version,
    version.time,
    of.system,
    of.environment,
    of.case,
    metric.metric,
    metric.verdict,
    metric.base,
    metric.head,
    metric.ratio,
    metric.low,
    metric.high,
  ]);

/**
 * @param {VersionChange[]} changes
 * @param {import('../model/site-model.js').Overview} overview
 * @param {string} url of the site
 */
const feedOf = (changes, { title }, url) =>
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
          ...failing.map((one) => `misses its thresholds now: ${one.title}`),
          ...passing.map((one) => `meets its thresholds again: ${one.title}`),
        ],
      })),
  });
