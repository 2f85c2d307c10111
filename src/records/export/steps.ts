import type { BenchRecord } from '../../../reports/schema/types.d.ts';

/**
 * The latency of a record as steps: how many requests took which time. A request that lies between two quantiles took the
 * greater one, and so one between quantiles that are interpolated: nothing is faster than it was, and the fastest and the
 * slowest are exact.
 * @returns ascending, each time once, at least one request each
 */
export function stepsOf({
  p,
  values,
  count,
  min,
  max,
}: NonNullable<BenchRecord['distribution']>): { ms: number; count: number }[] {
  /** the time of the n-th request, in order of their times */
  const times: Map<number, number> = new Map();
  for (const [i, percent] of p.entries()) times.set(Math.max(1, rank(percent, count)), values[i]); // the greatest comes last
  times.set(1, min).set(count, max);
  const steps: Map<number, number> = new Map();
  let before = 0;
  for (const [at, ms] of [...times].sort(([a], [b]) => a - b)) {
    steps.set(ms, (steps.get(ms) ?? 0) + at - before);
    before = at;
  }
  return [...steps].map(([ms, many]) => ({ ms, count: many }));
}

/**
 * How many observations are at a percentile or below it: HdrHistogram's definition. A product such as 99.9 % of 1,000 is just
 * above the whole number that it is.
 */
const rank = (percent: number, count: number) => Math.min(count, Math.ceil((percent / 100) * count - 1e-9 * count));
