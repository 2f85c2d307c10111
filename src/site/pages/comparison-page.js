import { counted, formatTime } from '../../format.js';
import { thresholdReason } from '../../records/reasons.js';
import { ratios } from '../charts/ratios.js';
import { groupBy } from '../model/series.js';
import { nameOf } from '../model/site-model.js';
import { confidenceHeading, gatedChanges } from './change-rows.js';
import { csv } from './csv.js';
import { link } from './page.js';

/**
 * @typedef {import('../model/comparisons.js').JudgedComparison} JudgedComparison
 * @typedef {import('../collect/record.js').Entry} Entry
 * @typedef {import('../model/site-model.js').Overview} Overview
 */

/**
 * How a version came out against those before it, metric by metric, as on a pull request.
 * @param {import('../model/series.js').Version} version
 * @param {JudgedComparison} judged
 * @param {Overview} overview
 * @param {import('../charts/drawings.js').Draw} draw
 * @returns {Promise<import('./page.js').Page>}
 */
export const versionComparison = (version, judged, overview, draw) =>
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

/**
 * A duet. Its records are of no version, so nothing leads to them.
 * @param {import('../collect/duets.js').Duet} duet
 * @param {JudgedComparison} judged
 * @param {Overview} overview
 * @param {import('../charts/drawings.js').Draw} draw
 * @returns {Promise<import('./page.js').Page>}
 */
export const duetComparison = ({ url, outcome }, judged, overview, draw) =>
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

/** @param {{ url: string }} version */
export const comparisonUrl = ({ url }) => `${url}/compared`;

/**
 * What the cases of a comparison were compared with.
 * @param {JudgedComparison} judged
 * @returns {string[]}
 */
export function basesOf({ comparison }) {
  const found = comparison.cases.flatMap((/** @type {any} */ one) => one.comparison?.baseline ?? []);
  return found.length ? [...new Set(found)] : ['a baseline'];
}

/**
 * @param {{ url: string, heading: string, path: { text: string, url: string }[], judged: JudgedComparison, entries: Entry[] }} what
 *   entries: the records of head
 * @param {Overview} overview
 * @param {import('../charts/drawings.js').Draw} draw
 * @returns {Promise<import('./page.js').Page>}
 */
async function comparisonPage(
  { url, heading, path, judged: { comparison, headline, method }, entries },
  overview,
  draw,
) {
  const changes = gatedChanges(comparison, entries, overview);
  const rows = changes.map(({ title, row, metric }) => ({ label: [title, row.title].join(': '), metric }));
  return {
    kind: 'comparison',
    url,
    title: heading,
    time: comparison.time,
    description: headline,
    model: {
      path,
      heading,
      headline,
      method,
      command: comparison.command,
      time: formatTime(comparison.time),
      counts: countsOf(changes),
      confidence: confidenceHeading(comparison),
      charts: await draw([ratios(rows, { title: 'Gated metrics', confidence: confidenceHeading(comparison) })]),
      changed: changes.filter(({ row }) => row.verdict !== 'same'),
      same: changes.filter(({ row }) => row.verdict === 'same'),
      problems: comparison.cases.filter(isProblem).map((/** @type {any} */ one) => ({
        title: [one.system, one.environment, one.case].join(' '),
        verdict: one.verdict,
        reason: one.reason,
      })),
      thresholds: comparison.cases.flatMap(thresholdsUnderLoad),
      uncompared: uncomparedOf(comparison),
    },
    files: { json: `${JSON.stringify(comparison)}\n`, csv: comparisonCsv(comparison) },
  };
}

/** Is it worse for its thresholds, services or load, and not for its metrics? @param {any} one a case of a comparison */
const isProblem = ({ verdict, comparison, metrics }) =>
  ['error', 'invalid'].includes(verdict) ||
  (verdict === 'fail' && !metrics.some((/** @type {any} */ { gated, verdict: found }) => gated && found === 'worse')) ||
  (verdict === 'inconclusive' && !comparison);

/**
 * What came of the thresholds in the load lane of a duet; the cap on errors, which every case has, only where it was not met.
 * @param {any} one a case of a comparison
 * @returns {{ title: string, verdict: string, reason: string }[]}
 */
const thresholdsUnderLoad = ({ system, environment, case: name, thresholds }) =>
  thresholds
    .filter((/** @type {any} */ { lane, implicit, outcome }) => lane && !(implicit && outcome === 'met'))
    .map((/** @type {any} */ threshold) => ({
      title: [system, environment, name].join(' '),
      verdict: threshold.outcome,
      reason: thresholdReason(threshold),
    }));

/**
 * The cases that could not be compared, those with one reason together.
 * @param {any} comparison
 * @returns {{ count: number, text: string, reason: string, cases: string }[]}
 */
export function uncomparedOf({ cases }) {
  const left = cases.filter((/** @type {any} */ { comparison }) => comparison && !comparison.possible);
  return [...groupBy(left, ({ comparison }) => comparison.reason)].map(([reason, inside]) => ({
    count: inside.length,
    text: counted(inside.length, 'case'),
    reason,
    cases: inside.map((one) => [one.system, one.environment, one.case].join(' ')).join('; '),
  }));
}

/**
 * @param {import('./change-rows.js').CaseChange[]} changes
 * @returns {{ verdict: string, count: number }[]}
 */
const countsOf = (changes) =>
  [...groupBy(changes, ({ row }) => row.verdict)].map(([verdict, inside]) => ({ verdict, count: inside.length }));

const columns = [
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
];

/** @param {any} comparison */
const comparisonCsv = ({ cases }) =>
  csv(
    ['system', 'environment', 'case', 'baseline', ...columns],
    cases.flatMap((/** @type {any} */ { system, environment, case: name, comparison, metrics }) =>
      metrics.map((/** @type {any} */ metric) => [
        system,
        environment,
        name,
        comparison?.baseline,
        ...columns.map((column) => metric[column]),
      ]),
    ),
  );
