import { counted, formatCount } from '../../base/format.js';
import { caseKey } from '../model/series.js';
import { gatedChanges } from './change-rows.js';
import { basesOf, uncomparedOf } from './comparison-page.js';
import { hrefOf } from './page.js';

/** @import { Comparison } from '../../../reports/schema/types.d.ts' */
/** @import { Duet } from '../collect/collect-duets.js' */
/** @import { JudgedComparison } from '../model/comparisons.js' */
/** @import { Version } from '../model/series.js' */
/** @import { Overview } from '../model/site-model.js' */
/** @import { CaseChange } from './change-rows.js' */

/**
 * What changed at a version.
 * @typedef {{ version: Version, judged: JudgedComparison, bases: string[],
 *   changed: CaseChange[], uncompared: ReturnType<typeof uncomparedOf>,
 *   passing: Turned[], failing: Turned[] }} VersionChange changed: gated metrics that are better or worse; uncompared: what
 *   could not be; passing, failing: cases that met their thresholds before and miss them now, and the other way round
 * @typedef {{ title: string, href: string }} Turned
 */

/**
 * What a duet found.
 * @typedef {{ duet: Duet, judged: JudgedComparison,
 *   changed: CaseChange[] }} DuetChange changed: as of a version
 */

/**
 * @param {Overview} overview
 * @returns {VersionChange[]} newest first, of the versions that were compared
 */
export const changesOf = (overview) =>
  [...overview.versions]
    .reverse()
    .map((version) => changeOf(version, overview))
    .filter((change) => change !== null);

/**
 * @param {Version} version
 * @param {Overview} overview
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
 * @param {Version} version
 * @param {JudgedComparison} judged
 * @param {Overview} overview
 */
function turnedOf(version, { comparison }, { series }) {
  /** @type {{ passing: Turned[], failing: Turned[] }} */
  const turned = { passing: [], failing: [] };
  for (const comparedCase of comparison.cases) {
    const known = series.get(caseKey(comparedCase)) ?? [];
    const [head, base] = [version.version, comparedCase.comparison?.baseline].map((name) =>
      known.find((entry) => entry.version === name),
    );
    const [now, before] = [head, base].map((entry) => entry?.record.verdict);
    if (!head || !now || !before || now === before) continue;
    const row = {
      title: [comparedCase.system, comparedCase.environment, comparedCase.case].join(' '),
      href: hrefOf(head.url),
    };
    if (now === 'pass') turned.passing.push(row);
    else if (before === 'pass') turned.failing.push(row);
  }
  return turned;
}

/**
 * @param {Overview} overview
 * @returns {DuetChange[]} newest first
 */
export const duetChangesOf = (overview) =>
  [...overview.duets].reverse().flatMap((duet) => {
    const judged = overview.comparisons.get(duet.url);
    if (!judged) return [];
    const changed = gatedChanges(judged.comparison, [], overview)
      .filter(({ row }) => ['worse', 'better'].includes(row.verdict))
      .map((change) => ({ ...change, href: hrefOf(duet.url) }));
    return [{ duet, judged, changed }];
  });

/**
 * @param {Comparison} comparison
 * @returns {string} what changed, in a sentence: what could not be decided is a part of it
 */
export function sentenceOf({ cases }) {
  const compared = cases.filter((comparedCase) => comparedCase.comparison?.possible);
  if (!compared.length) return 'No case could be compared.';
  const gated = compared.flatMap((comparedCase) => comparedCase.metrics).filter(({ gated }) => gated);
  const said = Object.entries(words).flatMap(([verdict, [singular, many]]) => {
    const count = gated.filter((metric) => metric.verdict === verdict).length;
    return count ? [`${formatCount(count)} ${count === 1 ? singular : many}`] : [];
  });
  const isCertain = gated.some(({ verdict }) => ['worse', 'better'].includes(verdict));
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
