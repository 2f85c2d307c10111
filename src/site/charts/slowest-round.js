import { formatInUnit } from '../../format.js';

/** A round is worth a word that was so many times slower than the one that is shown. */
const muchSlower = 1.5;

/**
 * Which round was much slower than the first, which is the one whose course is drawn.
 * @param {Pick<import('../../../reports/schema/types.d.ts').BenchRecord, 'metrics'>} record
 * @returns {string} "round 2 was the slowest: p95 170 ms, in the first 60 ms"; "" without one
 */
export function slowestRound({ metrics }) {
  const { samples = [], unit } = metrics.latency_ms_p95 ?? {};
  const [first] = samples;
  if (unit === undefined || typeof first !== 'number') return '';
  const worst = Math.max(...samples.map((value) => value ?? 0));
  if (worst <= muchSlower * first) return '';
  const [slow, shown] = [worst, first].map((value) => formatInUnit(value, unit));
  return `round ${samples.indexOf(worst) + 1} was the slowest: p95 ${slow}, in the first ${shown}`;
}
