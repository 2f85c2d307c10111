import { FileProblem } from '../round/file-problem.js';
import { distributionOf, finding, findingsOf, isoTime, type Round, withExpected } from '../round/round.js';
import { count, holdsShape, mapOf, maybeNumber } from '../round/shape.js';
import { countOf, statusFinding } from '../round/statuses.js';

type Aggregate = {
  timestamp: string;
  scenariosCreated?: number;
  scenariosCompleted?: number;
  requestsCompleted: number;
  latency: {
    min?: number | null;
    max?: number | null;
    median?: number | null;
    p95?: number | null;
    p99?: number | null;
  };
  rps: { count: number; mean: number };
  errors: Record<string, number>;
  codes: Record<string, number>;
};

const schema = {
  type: 'object',
  required: ['aggregate'],
  properties: {
    aggregate: {
      type: 'object',
      required: ['timestamp', 'requestsCompleted', 'latency', 'rps', 'errors', 'codes'],
      properties: {
        timestamp: { type: 'string' },
        scenariosCreated: count,
        scenariosCompleted: count,
        requestsCompleted: count,
        latency: mapOf(maybeNumber),
        rps: { type: 'object', required: ['count', 'mean'], properties: { count, mean: count } },
        errors: mapOf(count),
        codes: mapOf(count),
      },
    },
  },
};

/** The report of Artillery 1, whose numbers have other names. Its time is when it was made, at the end. */
export function readArtillery1(value: unknown): Round {
  holdsShape(value, schema, 'Artillery 1');
  const { aggregate: all } = value as { aggregate: Aggregate };
  const lost = Object.values(all.errors).reduce((sum, number) => sum + number, 0);
  const requests = all.requestsCompleted + lost;
  if (requests === 0) throw new FileProblem('has no HTTP requests');
  const statuses = Object.entries(all.codes);
  const status = countOf(statuses, '5');
  const unfinished = Math.max((all.scenariosCreated ?? 0) - (all.scenariosCompleted ?? all.scenariosCreated ?? 0), 0);
  const seconds = all.rps.mean > 0 ? all.rps.count / all.rps.mean : null;
  const endMs = Date.parse(all.timestamp);
  return {
    tool: 'Artillery',
    time: Number.isNaN(endMs) ? null : isoTime(endMs - (seconds ?? 0) * 1000),
    seconds,
    counts: withExpected({
      requests,
      errors: Math.min(Math.max(lost + status, unfinished), requests),
      status_errors: Math.min(status, requests),
      iterations: all.scenariosCompleted ?? null,
    }),
    latency: distributionOf(all.requestsCompleted, null, [
      [0, all.latency.min],
      [50, all.latency.median],
      [95, all.latency.p95],
      [99, all.latency.p99],
      [100, all.latency.max],
    ]),
    requests: {},
    groups: {},
    findings: findingsOf(
      finding(
        'artillery-one',
        'info',
        'A report of Artillery 1: its requests/s is the mean of its periods, and its latencies are of responses; a request without one has no latency.',
      ),
      statusFinding('Artillery', statuses, all.requestsCompleted),
      unfinished > 0 &&
        finding('artillery-failed', 'warn', `${unfinished} of ${all.scenariosCreated} users did not complete.`),
    ),
  };
}
