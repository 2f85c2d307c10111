import type { Comparison } from '../../reports/schema/types.d.ts';
import { isOfFuture } from './runs.js';
import { comparisonProblem } from './schema.js';

/** No comparison is nested so deep, and jq would not read it. */
const most_deep = 32;

/**
 * What makes a value from elsewhere no outcome of a run or a duet: whatever passes is of the right shape, and its texts are
 * data.
 * @returns null: it is one
 */
export const outcomeProblem = (value: unknown): string | null =>
  isDeeper(value, most_deep)
    ? `it is nested more than ${most_deep} deep`
    : (comparisonProblem(value) ?? timeProblem(value as Comparison));

/** By its time a comparison is newer than another: one from the future would be the newest for good. */
function timeProblem({ time }: Pick<Comparison, 'time'>) {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(time) && !Number.isNaN(Date.parse(time));
  if (!isTime) return 'it has no valid time';
  return isOfFuture(time) ? 'its time is in the future' : null;
}

const isDeeper = (value: unknown, most: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1)));
