import { FileProblem } from '../round/file-problem.js';
import {
  type Counts,
  type Distribution,
  distributionOf,
  finding,
  findingsOf,
  isoTime,
  type Round,
  withExpected,
} from '../round/round.js';
import { count, holdsShape, mapOf, maybeNumber } from '../round/shape.js';
import { countOf, type Statuses, statusFinding } from '../round/statuses.js';
import { readArtillery1 } from './artillery-1.js';

type Summary = {
  count: number;
  min?: number | null;
  max?: number | null;
  mean?: number | null;
  p50?: number | null;
  median?: number | null;
  p75?: number | null;
  p90?: number | null;
  p95?: number | null;
  p99?: number | null;
  p999?: number | null;
};

type Aggregate = {
  counters: Record<string, number>;
  summaries?: Record<string, Summary>;
  rates?: Record<string, number>;
  firstCounterAt: number;
  lastCounterAt: number;
};

const endpoints = 'plugins.metrics-by-endpoint.';

const schema = {
  type: 'object',
  required: ['aggregate'],
  properties: {
    aggregate: {
      type: 'object',
      required: ['counters', 'firstCounterAt', 'lastCounterAt'],
      properties: {
        counters: mapOf(count),
        rates: mapOf(maybeNumber),
        firstCounterAt: count,
        lastCounterAt: count,
        summaries: mapOf({
          type: 'object',
          required: ['count'],
          properties: {
            count,
            ...Object.fromEntries(
              ['min', 'max', 'mean', 'p50', 'median', 'p75', 'p90', 'p95', 'p99', 'p999'].map((name) => [
                name,
                maybeNumber,
              ]),
            ),
          },
        }),
      },
    },
  },
};

/** Artillery's report (artillery run --output report.json). */
export function readArtillery(value: unknown): Round {
  const { aggregate } = value as { aggregate: object };
  if ('requestsCompleted' in aggregate || 'scenariosCreated' in aggregate) return readArtillery1(value);
  holdsShape(value, schema, 'Artillery');
  const all = aggregate as Aggregate;
  const { counters, summaries = {} } = all;
  const requests = counters['http.requests'] ?? 0;
  if (requests === 0) throw new FileProblem('has no HTTP requests');
  const seconds = (all.lastCounterAt - all.firstCounterAt) / 1000;
  return {
    tool: 'Artillery',
    time: isoTime(all.firstCounterAt),
    seconds,
    counts: countsOf(counters, requests),
    latency: distribution(summaries['http.response_time']),
    requests: requestsOf(counters, summaries),
    groups: {},
    findings: findingsOf(
      finding(
        'artillery-buckets',
        'info',
        'Artillery counts latencies in buckets, at whole milliseconds: its percentiles are off by up to 1 % and 1 ms, and of a few samples by more. They are of responses; a request without one has no latency.',
      ),
      rateFinding(all.rates?.['http.request_rate'], requests, seconds),
      statusFinding('Artillery', statusesOf(counters), counters['http.responses'] ?? 0),
      failedFinding(counters),
    ),
  };
}

/**
 * Artillery's own file says which requests failed: errors of requests (a missing response, a failed match or capture), failed
 * expectations, failed users; and responses of 500 and more, which it counts apart. One failure may be in several of these:
 * the largest is certain.
 */
function countsOf(counters: Record<string, number>, requests: number): Counts {
  const lost = sumOf(counters, 'errors.');
  const status = countOf(statusesOf(counters), '5');
  const expectations = counters['plugins.expect.failed'] ?? 0;
  const failed = Math.max(lost + status, expectations, counters['vusers.failed'] ?? 0);
  return withExpected({
    requests,
    errors: Math.min(failed, requests),
    network_errors: null,
    status_errors: Math.min(status, requests),
    failed_expectations: Math.min(expectations, requests),
    iterations: counters['vusers.completed'] ?? null,
    received_bytes: counters['http.downloaded_bytes'] ?? null,
  });
}

const sumOf = (counters: Record<string, number>, prefix: string) =>
  Object.entries(counters).reduce((sum, [key, value]) => (key.startsWith(prefix) ? sum + value : sum), 0);

const statusesOf = (counters: Record<string, number>): Statuses =>
  Object.entries(counters)
    .filter(([key]) => /^http\.codes\.\d{3}$/.test(key))
    .map(([key, number]) => [key.slice('http.codes.'.length), number]);

/** Artillery's own percentiles may lie a bucket beyond its exact extremes. */
function distribution(summary: Summary | undefined): Distribution[] {
  if (!summary) return [];
  const { min, max } = summary;
  const within = (value: number | null | undefined) =>
    typeof value === 'number' ? Math.min(Math.max(value, min ?? value), max ?? value) : null;
  return distributionOf(summary.count, summary.mean, [
    [0, min],
    [50, within(summary.p50 ?? summary.median)],
    [75, within(summary.p75)],
    [90, within(summary.p90)],
    [95, within(summary.p95)],
    [99, within(summary.p99)],
    [99.9, within(summary.p999)],
    [100, max],
  ]);
}

/** Of the plugin metrics-by-endpoint. */
function requestsOf(counters: Record<string, number>, summaries: Record<string, Summary>) {
  const prefix = `${endpoints}response_time.`;
  return Object.fromEntries(
    Object.entries(summaries)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, summary]) => {
        const path = key.slice(prefix.length);
        const lost = sumOf(counters, `${endpoints}${path}.errors.`);
        const status = sumOf(counters, `${endpoints}${path}.codes.5`);
        const requests = summary.count + lost;
        return [
          path,
          {
            counts: withExpected({ requests, errors: Math.min(lost + status, requests) }),
            latency: distribution(summary),
          },
        ];
      }),
  );
}

function rateFinding(rate: number | null | undefined, requests: number, seconds: number) {
  if (typeof rate !== 'number' || !(seconds > 0) || Math.abs(rate - requests / seconds) <= 0.02 * rate) return null;
  return finding(
    'artillery-rate',
    'info',
    `Artillery's own http.request_rate is ${rate}/s, the mean of its rates by period; requests/s here are ${Number((requests / seconds).toPrecision(4))}, all requests by the time from the first count to the last.`,
  );
}

function failedFinding(counters: Record<string, number>) {
  const expectations = counters['plugins.expect.failed'] ?? 0;
  const users = counters['vusers.failed'] ?? 0;
  if (expectations + users === 0) return null;
  return finding(
    'artillery-failed',
    'warn',
    `Artillery says that ${[
      expectations > 0 &&
        `${expectations} expectations failed (${Object.entries(counters)
          .filter(([key]) => key.startsWith('plugins.expect.failed.'))
          .map(([key, number]) => `${key.slice('plugins.expect.failed.'.length)}: ${number}`)
          .join(', ')})`,
      users > 0 && `${users} of ${counters['vusers.created'] ?? users} users failed`,
    ]
      .filter(Boolean)
      .join(' and ')}. One request may be in several of these: the largest number counts as errors.`,
  );
}
