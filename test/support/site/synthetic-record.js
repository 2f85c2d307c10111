import { quantileGrid } from '../../../dist/suite/cases/quantiles.js';
import { tryThreshold } from '../../../dist/suite/cases/thresholds.js';
import { schemaVersion } from '../../../reports/schema/version.js';
import { randomFrom } from './random.js';

/** What fixed work takes on the made-up machine, in milliseconds. */
const work = { integer_ms: 2.4, memory_ms: 3.1, hash_ms: 0.7 };
const machineSpeed = { one: work, all: work };

/**
 * One made-up record of the published shape: a service that saturates at about 4,000 requests/s times its speed.
 * @param {{ system: string, environment: string, scenario: string, values: Record<string, any>, version: string,
 *   age: number, speed?: number, rounds?: number }} wish age: how many versions came before
 */
export function syntheticRecord({ system, environment, scenario, values, version, age, speed = 1, rounds = 3 }) {
  const name = [scenario, ...Object.entries(values).map(([key, value]) => `${key}=${value}`)].join(',');
  const random = randomFrom(`${system} ${name} ${version}`);
  const load = loadOf(values, speed, age);
  const sigma = 0.35 + 0.5 * load.busy;
  /** @param {number} p */
  const quantile = (p) => load.median * Math.exp(sigma * normalQuantile(p)) * (p > 0.985 ? 1.15 : 1);
  const metric = metricMaker(random, rounds);
  const count = Math.round(load.rps * 28 * rounds);
  const metrics = metricsOf(metric, load, quantile, count);
  const saturated = load.dropped > 0.001;
  for (const [key, one] of Object.entries(metrics)) {
    if (saturated && /^(latency|waiting)/.test(key)) Object.assign(one, { valid: false, reason: 'saturated' });
  }
  const time = new Date(Date.UTC(2026, 0, 5 + age * 14, 9, 30)).toISOString();
  const p95 = metrics.latency_ms_p95.value;
  return {
    schema: schemaVersion,
    version,
    system,
    environment,
    scenario,
    case: name,
    title: `Synthetic: ${scenario === 'hello' ? 'Hello World' : 'Work in a request'}`,
    values,
    profile: null,
    definition: `sha256:${(age === 0 ? 'a' : 'b').repeat(64)}`,
    time,
    commit: '0123456789'.repeat(4),
    dirty: false,
    seed: 42,
    rounds,
    command: `benchfolio run ${system} --scenario ${scenario}`,
    fingerprint: {
      cpu_model: 'Synthetic CPU @ 3.00GHz',
      cores: 8,
      memory_bytes: 16.6e9,
      runner: 'local',
      os: 'Debian 12',
      kernel: '6.12.0',
      k6: '2.2.0',
      node: '20.19.0',
    },
    speed: { before: machineSpeed, after: machineSpeed },
    window: { from_s: 2, to_s: 30, seconds: 28 * rounds },
    metrics,
    requests: {
      [scenario === 'hello' ? 'GET /hello' : 'GET /load']: {
        count,
        share: 1,
        weight: null,
        metrics: {
          latency_ms_p50: metrics.latency_ms_p50,
          latency_ms_p95: metrics.latency_ms_p95,
          latency_ms_p99: metrics.latency_ms_p99,
          errors_ratio: metrics.errors_ratio,
        },
      },
    },
    services: {
      app: {
        metrics: {
          cpu_ratio_mean: metrics.cpu_ratio_mean,
          memory_bytes_max: metrics.memory_bytes_max,
        },
      },
    },
    compare: null,
    thresholds: thresholdsOf(metrics, count, saturated),
    findings: saturated
      ? [
          {
            id: 'saturated',
            level: 'info',
            metrics: Object.keys(metrics).filter((key) => !metrics[/** @type {keyof typeof metrics} */ (key)].valid),
            text: `${(load.dropped * 100).toFixed(1)} % of the iterations were dropped: throughput and errors are the result`,
          },
        ]
      : [],
    distribution: {
      metric: 'latency_ms',
      p: quantileGrid,
      values: quantileGrid.map((p) => round(quantile(clamp(p / 100)))),
      count,
      min: round(quantile(1e-5)),
      max: round(quantile(1 - 1e-6)),
      error: 0.002,
    },
    timeline: timelineOf(random, load, quantile),
    verdict: !saturated && p95 >= 50 ? 'fail' : 'pass',
    reason: !saturated && p95 >= 50 ? `http_req_duration p(95)<50: ${p95}` : null,
  };
}

/**
 * @param {Record<string, any>} metrics
 * @param {number} count
 * @param {boolean} saturated
 */
function thresholdsOf(metrics, count, saturated) {
  const p95 = metrics.latency_ms_p95.value;
  const given = { selector: {}, level: 'fail', implicit: false, count, reason: null };
  const judged = saturated
    ? { observed: null, outcome: 'unknown', reason: 'saturated' }
    : { observed: p95, outcome: p95 < 50 ? 'met' : 'missed' };
  const memory = metrics.memory_bytes_max.value;
  return [
    { metric: 'http_req_duration', expr: 'p(95)<50', unit: 'ms', ...judged },
    { metric: 'memory_bytes', expr: 'max<300e6', unit: 'bytes', observed: memory, outcome: 'met' },
    { metric: 'errors_ratio', expr: 'value<=0.01', unit: 'ratio', implicit: true, observed: 0, outcome: 'met' },
  ].map((one) => ({ ...given, ...one, ...tryThreshold(one.expr), text: `${one.metric} ${one.expr}: ${one.observed}` }));
}

/**
 * What the service does under this load.
 * @param {Record<string, any>} values
 * @param {number} speed
 * @param {number} age
 */
function loadOf(values, speed, age) {
  const cost = (1 / 4000 / speed) * (age === 1 ? 1.08 : 1) + (values.cpuTime ?? 0) / 1000;
  const asked = values.rate ?? 0.97 / cost;
  const rps = Math.min(asked, 0.97 / cost);
  const busy = rps * cost;
  return { asked, rps, busy, cost, dropped: 1 - rps / asked, median: (cost * 1000 * 1.4) / (1.04 - busy) };
}

/**
 * @param {() => number} random
 * @param {number} rounds
 * @returns {(unit: string, direction: string | null, value: number, noise?: number, count?: number | null) => any}
 */
function metricMaker(random, rounds) {
  return (unit, direction, value, noise = 0.02, count = null) => {
    const samples = Array.from({ length: rounds }, () => round(value * (1 + noise * (random() - 0.5) * 2)));
    const middle = [...samples].sort((a, b) => a - b)[Math.floor(rounds / 2)];
    return { unit, direction, value: middle, samples, count, valid: true, reason: null };
  };
}

/**
 * @param {ReturnType<typeof metricMaker>} metric
 * @param {ReturnType<typeof loadOf>} load
 * @param {(p: number) => number} quantile
 * @param {number} count
 */
function metricsOf(metric, load, quantile, count) {
  const latency = (/** @type {number} */ p) => metric('ms', 'lower', quantile(p), 0.03, count);
  return {
    latency_ms_mean: metric('ms', 'lower', quantile(0.6), 0.02, count),
    latency_ms_p50: latency(0.5),
    latency_ms_p90: latency(0.9),
    latency_ms_p95: latency(0.95),
    latency_ms_p99: latency(0.99),
    latency_ms_p999: latency(0.999),
    latency_ms_max: latency(0.999999),
    waiting_ms_p50: metric('ms', 'lower', quantile(0.5) * 0.96, 0.02, count),
    waiting_ms_p95: metric('ms', 'lower', quantile(0.95) * 0.97, 0.03, count),
    throughput_rps: metric('1/s', 'higher', load.rps, 0.004, count),
    requests_rps: metric('1/s', null, load.rps, 0.004, count),
    iterations_rps: metric('1/s', null, load.rps, 0.004, count),
    rate_target_rps: metric('1/s', null, load.asked, 0),
    rate_achieved_ratio: metric('ratio', 'higher', 1 - load.dropped, 0.001),
    errors_ratio: metric('ratio', 'lower', 0, 0, count),
    status_errors_ratio: metric('ratio', 'lower', 0, 0, count),
    network_errors_ratio: metric('ratio', 'lower', 0, 0, count),
    expectation_errors_ratio: metric('ratio', 'lower', 0, 0, count),
    iterations_unfinished_ratio: metric('ratio', 'lower', 0, 0, count),
    dropped_iterations_ratio: metric('ratio', 'lower', load.dropped, 0.05),
    users_max: metric('1', null, Math.ceil(2 + (load.rps * quantile(0.99)) / 1000), 0.1),
    cpu_ms_per_request: metric('ms', 'lower', load.cost * 1000, 0.01, count),
    cpu_ratio_mean: metric('cores', null, load.busy, 0.02),
    memory_bytes_mean: metric('bytes', 'lower', 82e6, 0.05),
    memory_bytes_max: metric('bytes', 'lower', 91e6, 0.05),
    descriptors_count_max: metric('1', null, 120, 0.1),
    network_rx_bytes_per_second: metric('bytes/s', null, load.rps * 180, 0.01),
    network_tx_bytes_per_second: metric('bytes/s', null, load.rps * 240, 0.01),
    generator_cpu_ratio: metric('ratio', null, Math.min(0.7, load.rps / 20000), 0.03),
    received_bytes_per_second: metric('bytes/s', null, load.rps * 240, 0.01),
    sent_bytes_per_second: metric('bytes/s', null, load.rps * 110, 0.01),
  };
}

/**
 * @param {() => number} random
 * @param {ReturnType<typeof loadOf>} load
 * @param {(p: number) => number} quantile
 */
function timelineOf(random, load, quantile) {
  const t = Array.from({ length: 30 }, (_, i) => i);
  const along = (/** @type {(i: number) => number} */ value) => t.map((i) => round(value(i)));
  const warm = (/** @type {number} */ i) => (i < 2 ? 2.5 - i : 1) * (i === 17 ? 1.4 : 1);
  return {
    step_s: 1,
    t,
    phase_steady: [2, 30],
    throughput_rps: along((i) => (i === 0 ? load.rps * 0.9 : load.rps * (0.99 + 0.02 * random()))),
    latency_ms_p50: along((i) => quantile(0.5) * warm(i) * (0.95 + 0.1 * random())),
    latency_ms_p95: along((i) => quantile(0.95) * warm(i) * (0.9 + 0.2 * random())),
    latency_ms_p99: along((i) => quantile(0.99) * warm(i) * (0.85 + 0.4 * random())),
    errors_rps: along(() => 0),
    dropped_rps: along(() => load.asked - load.rps),
    users: along(() => 20),
    services: {
      app: {
        cpu_ratio: along(() => load.busy * (0.97 + 0.06 * random())),
        memory_bytes: along((i) => 70e6 + 2e7 * (1 - Math.exp(-i / 8)) + 1e6 * random()),
      },
    },
    k6: { cpu_ratio: along(() => (load.rps / 5000) * (0.95 + 0.1 * random())) },
    iterations_rps: along(() => load.rps),
    received_bytes_per_second: along(() => load.rps * (230 + 20 * random())),
    sent_bytes_per_second: along(() => load.rps * (105 + 10 * random())),
    machine: {
      network_rx_bytes_per_second: along(() => load.rps * (340 + 20 * random())),
      network_tx_bytes_per_second: along(() => load.rps * (340 + 20 * random())),
    },
    latency_ms_p90: along((i) => quantile(0.9) * warm(i)),
    latency_ms_max: along((i) => quantile(0.9999) * warm(i)),
  };
}

/** @param {number} p */
const clamp = (p) => Math.min(1 - 1e-6, Math.max(1e-5, p));

/** Five significant digits. @param {number} value */
const round = (value) => Number(value.toPrecision(5));

/** The standard normal's quantile by a logistic approximation: close enough to look at. @param {number} p */
const normalQuantile = (p) => Math.log(p / (1 - p)) / 1.702;
