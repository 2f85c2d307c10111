import { FileProblem, short } from './file-problem.js';

/**
 * Values of a distribution in milliseconds at percentages. exact: of samples or of a histogram, so that distributions with the
 * same percentages may be merged.
 * @typedef {{ count: number, mean: number | null, p: number[], values: number[], exact?: boolean }} Distribution
 *
 * How often something happened; null or absent: the tool does not say.
 * @typedef {{ requests: number, errors: number | null, expected?: number | null, network_errors?: number | null,
 *   status_errors?: number | null, failed_expectations?: number | null, iterations?: number | null, dropped?: number | null,
 *   due?: number | null, received_bytes?: number | null, sent_bytes?: number | null }} Counts
 *
 * A threshold of the tool itself, and what became of it. observed: null where the file does not say.
 * @typedef {{ metric: string, selector: Record<string, string>, expr: string, aggregation: string, percentile: number | null, op: string,
 *   value: number, unit: string, observed: number | null,
 *   outcome: 'met' | 'missed' }} ToolThreshold
 *
 * @typedef {{ id: string, level: 'info' | 'warn', text: string, metrics: string[] }} Finding
 *
 * What one file of another tool says, in the form that reports/import/record.json.jq adds up. time: ISO 8601, or null; seconds:
 * how long the load lasted, or null.
 * @typedef {{ tool: string, version?: string | null, time: string | null, seconds: number | null, counts: Counts,
 *   users_max?: number | null, latency: Distribution[], waiting?: Distribution[],
 *   requests: Record<string, { counts: Counts, latency: Distribution[] }>,
 *   groups: Record<string, { count: number, duration: Distribution[] }>, thresholds?: ToolThreshold[],
 *   findings: Finding[] }} Round
 *
 * A file to read. begin: its first kilobytes; text: reads all of it; progress: takes how many bytes were read.
 * @typedef {{ path: string, begin: string, text: () => Promise<string>, progress?: (bytes: number) => void }} ReadFile
 */

/**
 * @param {string} id
 * @param {'info' | 'warn'} level
 * @param {string} text
 * @returns {Finding}
 */
export const finding = (id, level, text) => ({ id, level, text, metrics: [] });

/** The findings that there are. @param {(Finding | false | null | undefined)[]} all @returns {Finding[]} */
export const findingsOf = (...all) => all.filter((item) => item !== false && item != null);

/** Counts with what was answered as expected. @param {Counts} counts @returns {Counts} */
export const withExpected = (counts) => ({
  ...counts,
  expected: counts.errors === null ? null : counts.requests - counts.errors,
});

/** @param {number} ms since 1970 @returns {string} ISO 8601 */
export function isoTime(ms) {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime()) || ms < 0) throw new FileProblem('begins at a time that cannot be');
  return date.toISOString();
}

/**
 * Distribution of some percentages, without those that the tool does not give.
 * @param {number} count
 * @param {number | null | undefined} mean
 * @param {[percent: number, ms: number | null | undefined][]} pairs
 * @returns {Distribution[]} none: nothing was observed
 */
export function distributionOf(count, mean, pairs) {
  const known = pairs.filter((pair) => typeof pair[1] === 'number').sort(([a], [b]) => a - b);
  const single = known.filter(([p], i) => i === 0 || known[i - 1][0] !== p);
  if (count === 0 || single.length === 0) return [];
  return [{ count, mean: mean ?? null, p: single.map(([p]) => p), values: single.map(([, value]) => Number(value)) }];
}

/**
 * Holds what is true of all that was measured, whatever the tool: a file that says otherwise is damaged, or not read well.
 * @param {Round} round
 * @returns {Round}
 * @throws {FileProblem}
 */
export function checked(round) {
  if (round.seconds !== null) number(round.seconds, 'the length of the run');
  parts(round.counts, round.latency, 'all requests');
  if (round.waiting) distributions(round.waiting, 'the time to the first byte');
  for (const [name, { counts, latency }] of Object.entries(round.requests)) parts(counts, latency, `"${short(name)}"`);
  for (const [name, { duration }] of Object.entries(round.groups)) distributions(duration, `"${short(name)}"`);
  return round;
}

/** @param {Counts} counts @param {Distribution[]} latency @param {string} of */
function parts(counts, latency, of) {
  for (const [name, value] of Object.entries(counts)) {
    if (value !== null && value !== undefined) number(value, `${name.replaceAll('_', ' ')} of ${of}`);
  }
  if (counts.errors !== null && counts.errors > counts.requests)
    throw new FileProblem(`says that ${counts.errors} of ${counts.requests} requests failed (${of})`);
  distributions(latency, of);
}

/** @param {Distribution[]} all @param {string} of */
function distributions(all, of) {
  for (const { mean, p, values } of all) {
    if (mean !== null) number(mean, `the mean of ${of}`);
    values.forEach((value, i) => {
      if (!(p[i] >= 0 && p[i] <= 100)) throw new FileProblem(`has a percentile of ${of} that is not between 0 and 100`);
      number(value, `p${p[i]} of ${of}`);
      if (i > 0 && value < values[i - 1])
        throw new FileProblem(`has p${p[i]} below p${p[i - 1]} in ${of}: ${value} and ${values[i - 1]}`);
    });
  }
}

/** @param {number} value @param {string} what */
function number(value, what) {
  if (!Number.isFinite(value)) throw new FileProblem(`has ${what} that is no number`);
  if (value < 0) throw new FileProblem(`has ${what} below zero: ${value}`);
}
