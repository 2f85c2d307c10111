import type { BenchRecord, ComparedCase } from '../../../reports/schema/types.d.ts';
import { shownVerdict } from '../../../site/assets/js/shown-verdict.js';
import { verdicts } from '../../suite/cases/verdicts.js';
import type { Entry } from '../collect/collect-record.js';

export type Verdict = { verdict: string; reason: string | null };

/**
 * The verdict of a record: that of the run's outcome when it is of the last run (which knows of baselines), else its
 * own.
 * @param outcome in the run's comparison.json
 */
export function verdictOf({ record }: Entry, outcome: ComparedCase | undefined): Verdict {
  const { verdict, reason } = outcome?.verdict ? outcome : record;
  return { verdict: shownVerdict({ verdict, findings: record.findings }), reason: reason ?? null };
}

/**
 * The note beside a verdict: a quick case looks different from a full one. Findings of one kind, such as one of each threshold,
 * have one word together; where a saturated case passes, that is the word of its verdict (shownVerdict).
 */
export const tagsOf = ({
  record: { verdict, findings, profile, imported, thresholds },
}: Entry): { word: string; text: string }[] => [
  ...(imported
    ? [{ word: 'imported', text: `the numbers are ${imported.tool}'s, imported from ${imported.format}` }]
    : []),
  ...(profile ? [{ word: profile, text: `measured with the profile ${profile}` }] : []),
  ...tagsOfFindings(findings.filter(({ id, level }) => level !== 'info' || (id === 'saturated' && verdict !== 'pass'))),
  ...tagsOfWarnings(thresholds.filter(({ level, outcome }) => level === 'warn' && outcome === 'missed')),
];

/** A case that misses what only warns looks different from one that does not. */
const tagsOfWarnings = (missed: BenchRecord['thresholds']) =>
  missed.length ? [{ word: 'warned', text: missed.map(({ text }) => text).join('; ') }] : [];

const tagsOfFindings = (findings: BenchRecord['findings']) =>
  [...new Set(findings.map(({ id }) => id))].map((word) => ({
    word,
    text: findings
      .filter(({ id }) => id === word)
      .map(({ text }) => text)
      .join(' '),
  }));

/** The case that has to be seen first comes first. */
export const byVerdict = (a: { verdict: string }, b: { verdict: string }) =>
  verdicts.order.indexOf(a.verdict) - verdicts.order.indexOf(b.verdict);

/** The metric that has to be seen first comes first. */
export const byVerdictOfMetric = (a: { verdict: string }, b: { verdict: string }) =>
  verdicts.order_of_metrics.indexOf(a.verdict) - verdicts.order_of_metrics.indexOf(b.verdict);

/** @returns what has to be seen first comes first */
export const countVerdicts = (all: Verdict[]): { verdict: string; count: number }[] =>
  verdicts.order
    .map((verdict) => ({ verdict, count: all.filter((judged) => judged.verdict === verdict).length }))
    .filter(({ count }) => count > 0);

/** Findings of a case that was not all sent or finished, and what says how much: there is no answer to it, and no error. */
const short = ['saturated', 'unfinished'];
const notDone = ['dropped_iterations_ratio', 'iterations_unfinished_ratio'];

/**
 * The metrics in a table of cases, or at the top of a record: where a case is saturated, dropped iterations are beside the
 * errors, which are a share of what was.
 * @param records that it is of
 * @param headline names of metrics
 */
export function headlineOf(records: readonly BenchRecord[], headline: readonly string[]): string[] {
  const shown = notDone.filter((name) =>
    records.some(
      ({ findings, metrics }) => findings.some(({ id }) => short.includes(id)) && (metrics[name]?.value ?? 0) > 0,
    ),
  );
  return headline.flatMap((name) => (name === 'errors_ratio' ? [name, ...shown] : [name]));
}
