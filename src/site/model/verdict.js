/** @import { BenchRecord, ComparedCase } from '../../../reports/schema/types.d.ts' */
/** @import { Entry } from '../collect/record.js' */

/**
 * @typedef {{ verdict: string, reason: string | null }} Verdict
 */

/** How much a verdict wants to be seen, most first. */
const order = ['error', 'fail', 'invalid', 'inconclusive', 'interrupted', 'todo', 'n-a', 'pass'];

/**
 * The verdict of a record: that of the run's outcome when it is of the last run (which knows of baselines), else its
 * own.
 * @param {Entry} entry
 * @param {ComparedCase | undefined} outcome in the run's comparison.json
 * @returns {Verdict}
 */
export function verdictOf({ record }, outcome) {
  if (outcome?.verdict) return { verdict: outcome.verdict, reason: outcome.reason ?? null };
  return { verdict: record.verdict, reason: record.reason };
}

/**
 * What stands beside a verdict: a saturated case looks different from one that coped, a quick one from a full one. Findings of
 * one kind, such as one of each threshold, have one word together.
 * @param {Entry} entry
 * @returns {{ word: string, text: string }[]}
 */
export const tagsOf = ({ record: { findings, profile, imported, thresholds } }) => [
  ...(imported
    ? [{ word: 'imported', text: `the numbers are ${imported.tool}'s, imported from ${imported.format}` }]
    : []),
  ...(profile ? [{ word: profile, text: `measured with the profile ${profile}` }] : []),
  ...tagsOfFindings(findings.filter(({ id, level }) => level !== 'info' || id === 'saturated')),
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

/**
 * @param {Verdict[]} verdicts
 * @returns {{ verdict: string, count: number }[]} what wants to be seen most first
 */
export const countVerdicts = (verdicts) =>
  order
    .map((verdict) => ({ verdict, count: verdicts.filter((judged) => judged.verdict === verdict).length }))
    .filter(({ count }) => count > 0);
