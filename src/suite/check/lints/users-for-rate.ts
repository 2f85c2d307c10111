import { formatDuration, formatPlain } from '../../../base/format.js';
import type { Case } from '../../cases/expand.js';
import { highestRate, iterationsOf, requestsPerIteration, thinkOf } from '../../cases/load.js';
import type { Lint } from './lints.js';

/**
 * Little's law: a rate needs as many users as there are iterations under way, rate × time of one. With fewer, k6 drops
 * iterations and the latencies say nothing.
 */
export function lintLittle(benchCase: Case): Lint[] {
  const rate = highestRate(benchCase.load);
  const latency = expectedLatency(benchCase);
  if (rate === null) return [];
  const seconds = requestsPerIteration(benchCase) * (latency ?? 0) + thinkOf(benchCase);
  const underWay = Math.min(rate * seconds, Number(iterationsOf(benchCase.load))); // a short run has no more than all of its own
  const [needed, users] = [Math.ceil(underWay - 1e-9), benchCase.load.users];
  if (needed <= users) return [];
  const key = benchCase.k6.maxVUs === undefined ? 'preAllocatedVUs' : 'maxVUs';
  return [
    {
      path: ['scenarios', benchCase.scenario, key],
      message:
        `${formatPlain(rate)} iterations/s × ${formatDuration(seconds)} each (${parts(benchCase, latency)}) keep ${needed} users ` +
        `busy, and there are ${users}: k6 would drop iterations`,
      hint: `${key} = ${needed} or more, or a lower rate.`,
      weight: needed / users,
    },
  ];
}

/** Percentiles of a typical latency. */
const typical = [50, 90, 95];

/**
 * What the spec expects a request to take at the most: its tightest threshold on a typical latency.
 * @returns seconds; null: it does not say
 */
function expectedLatency({ thresholds }: Case): number | null {
  const limits = thresholds
    .filter(
      ({ metric, aggregation, percentile, op }) =>
        metric === 'http_req_duration' &&
        op.startsWith('<') &&
        (aggregation === 'avg' || typical.includes(Number(percentile))),
    )
    .map(({ value }) => value / 1000);
  return limits.length ? Math.min(...limits) : null;
}

function parts(benchCase: Case, latency: number | null) {
  const [requests, think] = [requestsPerIteration(benchCase), thinkOf(benchCase)];
  const times = requests === 1 ? '' : `${requests} × `;
  const sent = latency === null ? [] : [`${times}the ${formatPlain(latency * 1000)} ms that a threshold allows`];
  return [...sent, ...(think ? [`${formatDuration(think)} think time`] : [])].join(' and ');
}
