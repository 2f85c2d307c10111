import type { Comparison } from '../../../reports/schema/types.d.ts';
import { counted, formatCount } from '../../base/format.js';
import type { Duet } from '../collect/collect-duets.js';
import type { JudgedComparison } from '../model/comparisons.js';
import { caseKey, type Version } from '../model/series.js';
import type { Overview } from '../model/site-model.js';
import { type CaseChange, gatedChanges } from './change-rows.js';
import { basesOf, uncomparedOf } from './comparison-page.js';
import { hrefOf } from './page.js';

/**
 * What changed at a version. changed: gated metrics that are better or worse; uncompared: what could not be; passing, failing:
 * cases that met their thresholds before and miss them now, and the other way round
 */
export type VersionChange = {
  version: Version;
  judged: JudgedComparison;
  bases: string[];
  changed: CaseChange[];
  uncompared: ReturnType<typeof uncomparedOf>;
  passing: Turned[];
  failing: Turned[];
};

type Turned = { title: string; href: string };

/**
 * What a duet found. changed: as of a version
 */
export type DuetChange = { duet: Duet; judged: JudgedComparison; changed: CaseChange[] };

/** @returns newest first, of the versions that were compared */
export const changesOf = (overview: Overview): VersionChange[] =>
  [...overview.versions]
    .reverse()
    .map((version) => changeOf(version, overview))
    .filter((change) => change !== null);

/** @returns null: it was not compared */
export function changeOf(version: Version, overview: Overview): VersionChange | null {
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

/** Cases whose thresholds tell another story than those of the version that they were compared with. */
function turnedOf(version: Version, { comparison }: JudgedComparison, { series }: Overview) {
  const turned: { passing: Turned[]; failing: Turned[] } = { passing: [], failing: [] };
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

/** @returns newest first */
export const duetChangesOf = (overview: Overview): DuetChange[] =>
  [...overview.duets].reverse().flatMap((duet) => {
    const judged = overview.comparisons.get(duet.url);
    if (!judged) return [];
    const changed = gatedChanges(judged.comparison, [], overview)
      .filter(({ row }) => ['worse', 'better'].includes(row.verdict))
      .map((change) => ({ ...change, href: hrefOf(duet.url) }));
    return [{ duet, judged, changed }];
  });

/** @returns what changed, in a sentence, undecided metrics included */
export function sentenceOf({ cases }: Comparison): string {
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

/** What is said of so many metrics with a verdict. */
const words: Record<string, [string, string]> = {
  worse: ['got worse', 'got worse'],
  better: ['got better', 'got better'],
  unclear: ['is undecided', 'are undecided'],
  same: ['did not change', 'did not change'],
};
