import { counted, formatTime } from '../../base/format.js';
import type { Duet } from '../collect/collect-duets.js';
import { countsOf } from '../model/latest.js';
import type { Version } from '../model/series.js';
import { nameOf, type Overview } from '../model/site-model.js';
import { basesOf, comparisonUrl } from './comparison-page.js';
import { link } from './page.js';
import { asSentence } from './text.js';

/** Something that was measured, in a list: what it found, and of what. */
type Happened = { text: string; url: string; verdict: string; sides: string; time: string; kept: boolean };

/**
 * What was measured, duets and versions, in the words of the terminal.
 * @returns newest first
 */
export const happened = (overview: Overview): Happened[] =>
  [
    ...overview.duets.map((duet) => ({ at: duet.time, row: duetRow(duet, overview) })),
    ...overview.versions.map((version) => ({ at: version.time, row: versionRow(version, overview) })),
  ]
    .sort((a, b) => b.at.localeCompare(a.at))
    .flatMap(({ row }) => row ?? []);

/** @returns in the same order */
export const duetRows = (duets: Duet[], overview: Overview): Happened[] =>
  duets.flatMap((duet) => duetRow(duet, overview) ?? []);

function duetRow(duet: Duet, { comparisons }: Overview): Happened | null {
  const judged = comparisons.get(duet.url);
  if (!judged) return null;
  const { outcome, time, kept, url } = duet;
  return {
    ...link(asSentence(judged.brief), url),
    verdict: outcome.verdict,
    sides: sidesOf(duet),
    time: formatTime(time),
    kept,
  };
}

export const sidesOf = ({ outcome: { head, baseline } }: Duet) => `${head} against ${baseline}`;

/** @returns null: it is empty */
function versionRow(version: Version, overview: Overview): Happened | null {
  const { kept, entries, time } = version;
  const judged = overview.comparisons.get(version.version);
  const shared = { time: formatTime(time), kept };
  if (judged) {
    const sides = `${nameOf(version)} against ${basesOf(judged).join(', ')}`;
    const verdict = judged.comparison.verdict;
    return { ...link(asSentence(judged.brief), comparisonUrl(version)), verdict, sides, ...shared };
  }
  const counts = countsOf(
    entries,
    overview.missing.filter(() => !kept),
    overview,
  );
  if (counts.length === 0) return null;
  const cases = counts.reduce((sum, { count }) => sum + count, 0);
  const [worst] = counts;
  const of =
    worst.verdict === 'pass' ? 'all pass' : counts.map(({ verdict, count }) => `${count} ${verdict}`).join(', ');
  // failed cases are not kept: nothing is said of them
  const text = `${counted(cases, 'case')} ${kept ? 'kept' : 'measured'}: ${of}`;
  return { ...link(text, version.url), verdict: worst.verdict, sides: nameOf(version), ...shared };
}
