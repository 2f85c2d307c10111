import { trySubMetric } from '../../../suite/cases/sub-metric.js';
import { tryThreshold } from '../../../suite/cases/thresholds.js';
import { FileProblem, short } from '../round/file-problem.js';
import {
  type Counts,
  type Distribution,
  distributionOf,
  type Finding,
  finding,
  findingsOf,
  isoTime,
  type Round,
  type ToolThreshold,
  withExpected,
} from '../round/round.js';
import { holdsShape, mapOf } from '../round/shape.js';

/** "p(95)", avg, count, … */
type Stats = Record<string, number | undefined>;

type Threshold = { source: string; ok: boolean };

type Metric = { stats: Stats; thresholds: Threshold[] };

type Check = { name: string; passes: number; fails: number };

type Summary = {
  metrics: Record<string, Metric>;
  checks: Check[];
  seconds: number | null;
  endMs: number | null;
  version: string | null;
  saysThresholds: boolean;
};

const loose = { type: ['object', 'array'] };
const values = mapOf({ type: ['number', 'null', 'object', 'string', 'boolean'] });
const schema = {
  type: 'object',
  properties: {
    metrics: mapOf(values),
    root_group: loose,
    state: { type: 'object', properties: { testRunDurationMs: { type: 'number', minimum: 0 } } },
    config: { type: 'object' },
    metadata: { type: 'object' },
    results: {
      type: 'object',
      properties: {
        metrics: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'values'],
            properties: { name: { type: 'string' }, values: mapOf({ type: ['number', 'null'] }) },
          },
        },
        checks: { type: ['object', 'null'] },
      },
    },
  },
};

/** What k6 says at the end of a run: handleSummary's data, --summary-export, or the machine-readable summary of k6 2. */
export function readK6Summary(value: unknown): Round {
  holdsShape(value, schema, 'k6');
  const summary = summaryOf(value as any);
  const { metrics } = summary;
  const stat = (metric: string, name: string) => metrics[metric]?.stats[name] ?? null;
  const unit = unitOf(summary);
  const seconds = summary.seconds ?? secondsOf(metrics);
  if (seconds === null || seconds <= 0) throw new FileProblem('does not say how long the run was');
  const dropped = stat('dropped_iterations', 'count');
  const iterations = stat('iterations', 'count');
  return {
    tool: 'k6',
    version: summary.version,
    time: summary.endMs === null ? null : isoTime(summary.endMs - seconds * 1000),
    seconds,
    counts: {
      ...errorsOf(summary, unit),
      iterations,
      received_bytes: stat('data_received', 'count'),
      sent_bytes: stat('data_sent', 'count'),
      dropped,
      due: dropped === null ? null : dropped + (iterations ?? 0),
    },
    users_max: stat('vus', 'max'),
    latency: distribution(metrics[unit.timed], unit.count),
    waiting: unit.timed === 'http_req_duration' ? distribution(metrics.http_req_waiting, unit.count) : [],
    requests: requestsOf(metrics),
    groups: {},
    thresholds: thresholdsOf(metrics),
    findings: findingsOf(
      finding(
        'whole-run',
        'info',
        "k6's summary is of the whole run, warm-up and setup included, and rates are by the length of all of it.",
      ),
      dropped !== null &&
        dropped > 0 &&
        finding(
          'dropped-by-generator',
          'warn',
          `k6 dropped ${dropped} iteration${dropped === 1 ? '' : 's'} for want of free users: what they would have waited is in no latency.`,
        ),
      unit.finding,
      checksFinding(summary.checks),
      !summary.saysThresholds &&
        finding(
          'thresholds-unknown',
          'info',
          "k6's machine-readable summary does not say which of the script's thresholds were met: --summary-export does.",
        ),
    ),
  };
}

/** Any of the three as one. */
function summaryOf(file: any): Summary {
  const machine = Array.isArray(file.results?.metrics);
  const all: [string, any][] = machine
    ? file.results.metrics.map(({ name, values }: any) => [name, values])
    : Object.entries<any>(file.metrics ?? {}).map(([name, metric]) => [name, metric.values ?? metric]);
  const metrics = Object.fromEntries(
    all.map(([name, stats]) => [
      name,
      { stats: numbersOf(stats), thresholds: thresholdsIn(machine ? null : file.metrics[name].thresholds) },
    ]),
  );
  const made = Date.parse(file.metadata?.generated_at);
  const ms = file.state?.testRunDurationMs;
  const ran = ms === undefined ? file.config?.duration : ms / 1000;
  return {
    metrics,
    checks: machine ? checksIn(file.results.checks?.results) : checksOfGroup(file.root_group, []),
    seconds: typeof ran === 'number' ? ran : null,
    endMs: Number.isNaN(made) ? null : made,
    version: typeof file.metadata?.k6_version === 'string' ? file.metadata.k6_version : null,
    saysThresholds: !machine,
  };
}

const numbersOf = (stats: any): Stats =>
  Object.fromEntries(
    Object.entries<number>(stats).filter(([, value]) => typeof value === 'number' && Number.isFinite(value)),
  );

/** handleSummary has { ok }; --summary-export has true for a threshold that was crossed. */
function thresholdsIn(thresholds: unknown): Threshold[] {
  if (thresholds === null || typeof thresholds !== 'object') return [];
  return Object.entries(thresholds).flatMap(([source, said]) => {
    const ok = typeof said === 'boolean' ? !said : said?.ok;
    return typeof ok === 'boolean' ? [{ source, ok }] : [];
  });
}

/** @returns those of groups within it too */
function checksOfGroup(group: any, path: string[]): Check[] {
  if (group === null || typeof group !== 'object' || path.length > 20) return [];
  const here = group.name ? [...path, String(group.name)] : path;
  const own = checksIn(group.checks).map((check) => ({ ...check, name: [...here, check.name].join(' > ') }));
  return [...own, ...Object.values(group.groups ?? {}).flatMap((inner) => checksOfGroup(inner, here))];
}

/** @param checks a list or, in --summary-export, a table */
const checksIn = (checks: any): Check[] =>
  Object.values<any>(checks ?? {}).flatMap((check) =>
    Number.isInteger(check?.fails) && Number.isInteger(check?.passes)
      ? [{ name: String(check.name), passes: check.passes, fails: check.fails }]
      : [],
  );

function checksFinding(checks: Check[]) {
  const failed = checks.filter(({ fails }) => fails > 0).sort((a, b) => b.fails - a.fails);
  if (failed.length === 0) return null;
  const named = failed.slice(0, 3).map(({ name, passes, fails }) => `${short(name)}: ${fails} of ${passes + fails}`);
  const more = failed.length > 3 ? `; and ${failed.length - 3} more` : '';
  return finding('failed-checks', 'warn', `Checks failed: ${named.join('; ')}${more}.`);
}

/** --summary-export has the length of the run in its rates only. */
function secondsOf(metrics: Record<string, Metric>) {
  for (const { stats } of [metrics.http_reqs, metrics.iterations, metrics.data_received].filter(Boolean)) {
    if (stats.rate && stats.count) return stats.count / stats.rate;
  }
  return null;
}

/** What is counted: requests of HTTP, else calls of gRPC, else sessions of WebSockets, as `run` does it. */
type Unit = { timed: string; count: number; finding: Finding | null };

function unitOf({ metrics }: Summary): Unit {
  const requests = metrics.http_reqs?.stats.count ?? 0;
  if (requests > 0) return { timed: 'http_req_duration', count: requests, finding: null };
  const [name, timed] = metrics.grpc_req_duration
    ? ['a gRPC call', 'grpc_req_duration']
    : ['a WebSocket session', 'ws_session_duration'];
  const known = metrics[timed]?.stats.count ?? (timed.startsWith('ws') ? metrics.ws_sessions?.stats.count : undefined);
  const number = known ?? metrics.iterations?.stats.count ?? 0;
  if (!metrics[timed] || number === 0)
    throw new FileProblem('has no HTTP requests (http_reqs), gRPC calls or WebSocket sessions');
  return {
    timed,
    count: number,
    finding: finding(
      'unit-of-work',
      'info',
      `There are no HTTP requests: a request is ${name} here, and latency is its duration (${timed}).${
        known === undefined ? ' The summary does not count them: one for each iteration is assumed.' : ''
      }`,
    ),
  };
}

/** Errors are failed requests or, where there are more of them, failed checks: one failure may be both. */
function errorsOf({ metrics, checks }: Summary, { count, timed }: Unit): Counts {
  const failed = timed === 'http_req_duration' ? failedOf(metrics.http_req_failed) : null;
  const { fails } = metrics.checks?.stats ?? {};
  const bad = fails ?? checks.reduce((sum, check) => sum + check.fails, 0);
  const errors = failed === null && bad === 0 ? null : Math.min(Math.max(failed ?? 0, bad), count);
  return withExpected({ requests: count, errors, failed_expectations: Math.min(bad, count) });
}

/** @param metric a rate of what failed */
const failedOf = (metric: Metric | undefined) => metric?.stats.matches ?? metric?.stats.passes ?? null;

function distribution(trend: Metric | undefined, count: number): Distribution[] {
  if (!trend) return [];
  const { stats } = trend;
  const pairs = Object.entries(stats).flatMap(([key, value]) => {
    const p = percentOf(key);
    return p === null ? [] : [[p, value] as [number, number | undefined]];
  });
  return distributionOf(stats.count ?? count, stats.avg, pairs);
}

/** The percentage of a statistic of k6. */
function percentOf(key: string) {
  const named = { med: 50, min: 0, max: 100 }[key];
  if (named !== undefined) return named;
  const p = Number(/^p\(?(\d{1,3}(?:\.\d+)?)\)?$/.exec(key)?.[1] ?? NaN);
  return p >= 0 && p <= 100 ? p : null;
}

/** Requests with thresholds of their own by name, and a count. */
function requestsOf(metrics: Record<string, Metric>) {
  return Object.fromEntries(
    Object.keys(metrics).flatMap((key) => {
      const name = /^http_req_duration\{name:([^,]*)\}$/.exec(key)?.[1];
      const count = metrics[key].stats.count ?? metrics[`http_reqs{name:${name}}`]?.stats.count;
      if (name === undefined || !count) return [];
      const errors = failedOf(metrics[`http_req_failed{name:${name}}`]);
      return [
        [name, { counts: withExpected({ requests: count, errors }), latency: distribution(metrics[key], count) }],
      ];
    }),
  );
}

const thresholdsOf = (metrics: Record<string, Metric>): ToolThreshold[] =>
  Object.entries(metrics).flatMap(([name, { stats, thresholds }]) =>
    thresholds.map(({ source, ok }) => {
      const read = tryThreshold(source);
      if (read === null)
        throw new FileProblem(`has a threshold on ${name} that this k6 does not know: ${short(source)}`);
      const key = read.aggregation;
      const observed = stats[key] ?? stats[key.replace(/[()]/g, '')] ?? (key === 'rate' ? stats.value : undefined);
      return {
        ...(trySubMetric(name) ?? { metric: name, selector: {} }),
        expr: source,
        ...read,
        unit:
          key === 'count' ? '1' : key === 'rate' ? (stats.count === undefined ? 'ratio' : '1/s') : unitOfTrend(name),
        observed: observed ?? null,
        outcome: (ok ? 'met' : 'missed') as 'met' | 'missed',
      };
    }),
  );

const unitOfTrend = (name: string) =>
  /_duration|_waiting|_blocked|_connecting|_handshaking|_sending|_receiving/.test(name) ? 'ms' : '1';
