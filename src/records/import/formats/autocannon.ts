import { FileProblem } from '../round/file-problem.js';
import { distributionOf, finding, findingsOf, isoTime, type Round, withExpected } from '../round/round.js';
import { count, holdsShape, maybeNumber } from '../round/shape.js';

const statistics = { type: 'object', additionalProperties: maybeNumber };
const schema = {
  type: 'object',
  required: ['connections', 'duration', 'errors', 'latency', 'requests'],
  properties: {
    connections: count,
    duration: count,
    start: { type: 'string' },
    errors: count,
    mismatches: count,
    '4xx': count,
    '5xx': count,
    latency: statistics,
    requests: { ...statistics, required: ['total'], properties: { total: count } },
    throughput: { ...statistics, properties: { total: count } },
  },
};

/** autocannon's result (autocannon --json). */
export function readAutocannon(value: unknown): Round {
  holdsShape(value, schema, 'autocannon');
  const result = value as any;
  const { latency, duration, errors: lost, mismatches = 0, connections } = result;
  const [client, server] = [result['4xx'] ?? 0, result['5xx'] ?? 0];
  const responses = result.requests.total;
  if (responses + lost === 0) throw new FileProblem('has no requests');
  const began = Date.parse(result.start);
  const points = Object.entries(latency).flatMap(([key, ms]) => {
    const p = /^p(\d+(?:_\d+)?)$/.exec(key)?.[1];
    return p === undefined ? [] : [[Number(p.replace('_', '.')), ms] as [number, number]];
  });
  return {
    tool: 'autocannon',
    time: Number.isNaN(began) ? null : isoTime(began),
    seconds: duration,
    counts: withExpected({
      requests: responses + lost,
      errors: Math.min(lost + server + mismatches, responses + lost),
      network_errors: lost,
      status_errors: server,
      failed_expectations: mismatches,
      received_bytes: result.throughput?.total ?? null,
    }),
    users_max: connections,
    latency: distributionOf(responses, latency.mean ?? latency.average, [
      [0, latency.min],
      ...points.filter(([p]) => p > 0 && p < 100),
      [100, latency.max],
    ]),
    requests: {},
    groups: {},
    findings: findingsOf(
      finding(
        'autocannon-times',
        'info',
        "autocannon's times are whole milliseconds: a service of less than a millisecond cannot be distinguished from none. They are of responses; a request without one has no latency.",
      ),
      finding(
        'autocannon-load',
        'info',
        'Without a rate (-R) a connection of autocannon sends its next request after the response (a closed loop): requests that a stall held back were never sent, and are in no latency.',
      ),
      server > 0 &&
        finding(
          'autocannon-statuses',
          'warn',
          `${server} of ${responses} responses had a status of 500 or more: they are errors here.`,
        ),
      client > 0 &&
        finding(
          'autocannon-client-errors',
          'warn',
          `${client} of ${responses} responses had a status from 400 to 499: autocannon does not say whether they were expected, and they are in the throughput.`,
        ),
    ),
  };
}
