import { shownVerdict } from '../../../site/assets/js/shown-verdict.js';
import { verdicts } from '../../suite/cases/verdicts.js';

/** @import { BenchRecord, ComparedCase } from '../../../reports/schema/types.d.ts' */
/** @import { Entry } from '../collect/collect-record.js' */

/**
 * @typedef {{ verdict: string, reason: string | null }} Verdict
 */

/**
 * The verdict of a record: that of the run's outcome when it is of the last run (which knows of baselines), else its
 * own.
 * @param {Entry} entry
 * @param {ComparedCase | undefined} outcome in the run's comparison.json
 * @returns {Verdict}
 */
export function verdictOf({ record }, outcome) {
  const { verdict, reason } = outcome?.verdict ? outcome : record;
  return { verdict: shownVerdict({ verdict, findings: record.findings }), reason: reason ?? null };
}

/**
 * What stands beside a verdict: a quick case looks different from a full one. Findings of one kind, such as one of each threshold,
 * have one word together; where a
 * saturated case passes, that is the word of its verdict (shownVerdict).
 * @param {Entry} entry
 * @returns {{ word: string, text: string }[]}
 */
export const tagsOf = ({ record: { verdict, findings, profile, imported, thresholds } }) => [
  ...(imported
    ? [{ word: 'imported', text: `the numbers are ${imported.tool}'s, imported from ${imported.format}` }]
    : []),
  ...(profile ? [{ word: profile, text: `measured with the profile ${profile}` }] : []),
  ...tagsOfFindings(findings.filter(({ id, level }) => level !== 'info' || (id === 'saturated' && verdict !== 'pass'))),
  ...tagsOfWarnings(thresholds.filter(({ level, outcome }) => level === 'warn' && outcome === 'missed')),
];

/** A case that misses what only warns looks different from one that does not. @param {BenchRecord['thresholds']} missed */
const tagsOfWarnings = (missed) =>
  missed.length ? [{ word: 'warned', text: missed.map(({ text }) => text).join('; ') }] : [];

/** @param {BenchRecord['findings']} findings */
const tagsOfFindings = (findings) =>
  [...new Set(findings.map(({ id }) => id))].map((word) => ({
    word,
    text: findings
      .filter(({ id }) => id === word)
      .map(({ text }) => text)
      .join(' '),
  }));

/** The case that has to be seen first comes first. @param {{ verdict: string }} a @param {{ verdict: string }} b */
export const byVerdict = (a, b) => verdicts.order.indexOf(a.verdict) - verdicts.order.indexOf(b.verdict);

/** The metric that has to be seen first comes first. @param {{ verdict: string }} a @param {{ verdict: string }} b */
export const byVerdictOfMetric = (a, b) =>
  verdicts.order_of_metrics.indexOf(a.verdict) - verdicts.order_of_metrics.indexOf(b.verdict);

/**
 * @param {Verdict[]} all
 * @returns {{ verdict: string, count: number }[]} what has to be seen first comes first
 */
export const countVerdicts = (all) =>
  verdicts.order
    .map((verdict) => ({ verdict, count: all.filter((judged) => judged.verdict === verdict).length }))
    .filter(({ count }) => count > 0);

/** Findings of a case that was not all sent or finished, and what says how much: there is no answer to it, and no error. */
const short = ['saturated', 'unfinished'];
const notDone = ['dropped_iterations_ratio', 'iterations_unfinished_ratio'];

/**
 * The metrics that stand in a table of cases, or at the top of a record: where a case is saturated, what was not sent stands beside
 * the errors, which are a share of what was.
 * @param {readonly BenchRecord[]} records that it is of
 * @param {readonly string[]} headline names of metrics
 * @returns {string[]}
 */
export function headlineOf(records, headline) {
  const shown = notDone.filter((name) =>
    records.some(
      ({ findings, metrics }) => findings.some(({ id }) => short.includes(id)) && (metrics[name]?.value ?? 0) > 0,
    ),
  );
  return headline.flatMap((name) => (name === 'errors_ratio' ? [name, ...shown] : [name]));
}
