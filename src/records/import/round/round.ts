import { FileProblem, short } from './file-problem.js';

/**
 * Values of a distribution in milliseconds at percentages. exact: of samples or of a histogram, so that distributions with the
 * same percentages may be merged.
 */
export type Distribution = { count: number; mean: number | null; p: number[]; values: number[]; exact?: boolean };

/** How often something happened; null or absent: the tool does not say. */
export type Counts = {
  requests: number;
  errors: number | null;
  expected?: number | null;
  network_errors?: number | null;
  status_errors?: number | null;
  failed_expectations?: number | null;
  iterations?: number | null;
  dropped?: number | null;
  due?: number | null;
  received_bytes?: number | null;
  sent_bytes?: number | null;
};

/** A threshold of the tool itself, and what became of it. observed: null where the file does not say. */
export type ToolThreshold = {
  metric: string;
  selector: Record<string, string>;
  expr: string;
  aggregation: string;
  percentile: number | null;
  op: string;
  value: number;
  unit: string;
  observed: number | null;
  outcome: 'met' | 'missed';
};

export type Finding = { id: string; level: 'info' | 'warn'; text: string; metrics: string[] };

/**
 * What one file of another tool says, in the form that reports/import/record.json.jq adds up. time: ISO 8601, or null; seconds:
 * how long the load lasted, or null.
 */
export type Round = {
  tool: string;
  version?: string | null;
  time: string | null;
  seconds: number | null;
  counts: Counts;
  users_max?: number | null;
  latency: Distribution[];
  waiting?: Distribution[];
  requests: Record<string, { counts: Counts; latency: Distribution[] }>;
  groups: Record<string, { count: number; duration: Distribution[] }>;
  thresholds?: ToolThreshold[];
  findings: Finding[];
};

/** A file to read. begin: its first kilobytes; text: reads all of it; progress: takes how many bytes were read. */
export type ReadFile = { path: string; begin: string; text: () => Promise<string>; progress?: (bytes: number) => void };

export const finding = (id: string, level: 'info' | 'warn', text: string): Finding => ({
  id,
  level,
  text,
  metrics: [],
});

/** The findings that there are. */
export const findingsOf = (...all: (Finding | false | null | undefined)[]): Finding[] =>
  all.filter((item) => item !== false && item != null);

/** Counts with what was answered as expected. */
export const withExpected = (counts: Counts): Counts => ({
  ...counts,
  expected: counts.errors === null ? null : counts.requests - counts.errors,
});

/**
 * @param ms since 1970
 * @returns ISO 8601
 */
export function isoTime(ms: number): string {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime()) || ms < 0) throw new FileProblem('begins at a time that cannot be');
  return date.toISOString();
}

/**
 * Distribution of some percentages, without those that the tool does not give.
 * @returns none: nothing was observed
 */
export function distributionOf(
  count: number,
  mean: number | null | undefined,
  pairs: [percent: number, ms: number | null | undefined][],
): Distribution[] {
  const known = pairs.filter((pair) => typeof pair[1] === 'number').sort(([a], [b]) => a - b);
  const single = known.filter(([p], i) => i === 0 || known[i - 1][0] !== p);
  if (count === 0 || single.length === 0) return [];
  return [{ count, mean: mean ?? null, p: single.map(([p]) => p), values: single.map(([, value]) => Number(value)) }];
}

/**
 * Holds what is true of all that was measured, whatever the tool: a file that says otherwise is damaged, or not read well.
 * @throws {FileProblem}
 */
export function checked(round: Round): Round {
  if (round.seconds !== null) number(round.seconds, 'the length of the run');
  parts(round.counts, round.latency, 'all requests');
  if (round.waiting) distributions(round.waiting, 'the time to the first byte');
  for (const [name, { counts, latency }] of Object.entries(round.requests)) parts(counts, latency, `"${short(name)}"`);
  for (const [name, { duration }] of Object.entries(round.groups)) distributions(duration, `"${short(name)}"`);
  return round;
}

function parts(counts: Counts, latency: Distribution[], of: string) {
  for (const [name, value] of Object.entries(counts)) {
    if (value !== null && value !== undefined) number(value, `${name.replaceAll('_', ' ')} of ${of}`);
  }
  if (counts.errors !== null && counts.errors > counts.requests)
    throw new FileProblem(`says that ${counts.errors} of ${counts.requests} requests failed (${of})`);
  distributions(latency, of);
}

function distributions(all: Distribution[], of: string) {
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

function number(value: number, what: string) {
  if (!Number.isFinite(value)) throw new FileProblem(`has ${what} that is no number`);
  if (value < 0) throw new FileProblem(`has ${what} below zero: ${value}`);
}
