import { FileProblem } from '../round/file-problem.js';
import { distributionOf, finding, findingsOf, isoTime, withExpected } from '../round/round.js';
import { count, holdsShape, mapOf, maybeNumber } from '../round/shape.js';
import { countOf, statusFinding } from '../round/statuses.js';
import { readArtillery1 } from './artillery-1.js';

/** @import { Counts, Distribution, Round } from '../round/round.js' */
/** @import { Statuses } from '../round/statuses.js' */

/**
 * @typedef {{ count: number, min?: number | null, max?: number | null, mean?: number | null, p50?: number | null,
 *   median?: number | null, p75?: number | null, p90?: number | null, p95?: number | null, p99?: number | null,
 *   p999?: number | null }} Summary
 * @typedef {{ counters: Record<string, number>, summaries?: Record<string, Summary>, rates?: Record<string, number>,
 *   firstCounterAt: number, lastCounterAt: number }} Aggregate
 */

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

/**
 * Artillery's report (artillery run --output report.json).
 * @param {unknown} value
 * @returns {Round}
 */
export function readArtillery(value) {
  const { aggregate } = /** @type {{ aggregate: object }} */ (value);
  if ('requestsCompleted' in aggregate || 'scenariosCreated' in aggregate) return readArtillery1(value);
  holdsShape(value, schema, 'Artillery');
  const all = /** @type {Aggregate} */ (aggregate);
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
 * What failed is what Artillery's own file says: errors of requests (a missing response, a failed match or capture), failed
 * expectations, failed users; and responses of 500 and more, which it counts apart. One failure may be in several of these:
 * the largest is certain.
 * @param {Record<string, number>} counters @param {number} requests @returns {Counts}
 */
function countsOf(counters, requests) {
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

/** @param {Record<string, number>} counters @param {string} prefix */
const sumOf = (counters, prefix) =>
  Object.entries(counters).reduce((sum, [key, value]) => (key.startsWith(prefix) ? sum + value : sum), 0);

/** @param {Record<string, number>} counters @returns {Statuses} */
const statusesOf = (counters) =>
  Object.entries(counters)
    .filter(([key]) => /^http\.codes\.\d{3}$/.test(key))
    .map(([key, number]) => [key.slice('http.codes.'.length), number]);

/** Artillery's own percentiles may lie a bucket beyond its exact extremes. @param {Summary | undefined} summary @returns {Distribution[]} */
function distribution(summary) {
  if (!summary) return [];
  const { min, max } = summary;
  const within = (/** @type {number | null | undefined} */ value) =>
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

/** Of the plugin metrics-by-endpoint. @param {Record<string, number>} counters @param {Record<string, Summary>} summaries */
function requestsOf(counters, summaries) {
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

/** @param {number | null | undefined} rate @param {number} requests @param {number} seconds */
function rateFinding(rate, requests, seconds) {
  if (typeof rate !== 'number' || !(seconds > 0) || Math.abs(rate - requests / seconds) <= 0.02 * rate) return null;
  return finding(
    'artillery-rate',
    'info',
    `Artillery's own http.request_rate is ${rate}/s, the mean of its rates by period; requests/s here are ${Number((requests / seconds).toPrecision(4))}, all requests by the time from the first count to the last.`,
  );
}

/** @param {Record<string, number>} counters */
function failedFinding(counters) {
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
