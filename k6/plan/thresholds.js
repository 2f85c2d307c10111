import { errorMetrics, k6Metrics, scopeOf } from '../../dist/suite/cases/metrics.js';
import { steadyTime } from '../../dist/suite/cases/plan-faults.js';
import { protocolOf } from '../../dist/suite/cases/protocols.js';
import { subMetricName } from '../../dist/suite/cases/sub-metric.js';
import { driverMetrics } from '../../dist/suite/cases/tables.js';

/** @import { Case } from '../../dist/suite/cases/expand.js' */
/** @import { Protocol } from '../../dist/suite/cases/protocols.js' */
/** @import { CaseThreshold } from '../../dist/suite/cases/thresholds.js' */

/**
 * @typedef {Record<string, string>} ThresholdTags
 * @typedef {string | { threshold: string, abortOnFail: true, delayAbortEval?: string }} K6Threshold
 */

/**
 * The metrics that records are made from; k6 keeps a sub-metric only if a threshold names it, and each takes CPU time and
 * memory for every sample. How many requests there were, and how many as expected, http_req_failed tells.
 */
const reduced = [
  'http_req_failed',
  'http_req_duration',
  'http_req_waiting',
  'iterations',
  'data_sent',
  'data_received',
  ...errorMetrics.map(({ name }) => name),
];

/** What a script's work is counted and timed by where it makes no HTTP requests. */
const scriptUnits = ['iteration_duration', 'grpc_req_duration', 'ws_msgs_sent', 'ws_msgs_received'];

/** What times a request. How many there were http_req_failed tells, of each protocol (k6/user/protocol.js). */
const timed = { http: 'http_req_duration', grpc: 'grpc_req_duration', websocket: 'ws_session_duration' };

/** The metric that times requests. @param {Case} benchCase */
export const timedBy = ({ requests }) => timed[protocolOf(requests?.[0]?.method ?? 'get')];

/** Of each request by its name. */
const ofRequest = errorMetrics.filter(({ scope }) => scope === 'request').map(({ name }) => name);

/** Samples that no user makes have no phase: they are those of the whole run. @param {string} metric */
const hasPhase = (metric) => scopeOf(metric) !== 'process';

/** Where something fails on purpose: kept apart from what is measured. */
const inFaults = ['http_req_failed', 'http_req_duration', 'iterations'];

/** Of each user. */
const perUser = [driverMetrics.received_bytes, driverMetrics.receiving_ms, driverMetrics.user_requests];

/**
 * The thresholds option: every sub-metric that the reduction needs, the cap on errors, and the spec's own thresholds of
 * level fail, so that plain k6 exits 99 too. Those of level warn and on what k6 does not see are judged afterwards.
 * @param {Case} benchCase
 * @returns {Record<string, K6Threshold[]>} by k6's name of the sub-metric
 */
export function thresholdsOf(benchCase) {
  /** @type {Record<string, K6Threshold[]>} */
  const options = {};
  const expressions = (/** @type {string} */ name) => (options[name] ??= []);
  for (const metric of reduced) expressions(subMetric(metric, {}));
  expressions(subMetric('http_req_failed', {})).push(`rate<=${benchCase.error_cap}`); // a dead target is never a pass
  if (benchCase.script !== null) {
    expressions(subMetric('http_reqs', {})); // a script can switch http_req_failed off
    for (const metric of scriptUnits) expressions(subMetric(metric, {})); // where it makes none
    if (benchCase.checks !== 'ignore') expressions(subMetric('checks', {}));
  }
  for (const { metric, selector } of benchCase.own_metrics ?? []) expressions(subMetric(metric, selector));
  for (const { name, method } of benchCase.requests ?? []) addRequest(options, name, protocolOf(method));
  expressions(subMetric(timedBy(benchCase), {}));
  for (const name of used(benchCase)) expressions(name);
  for (const threshold of benchCase.thresholds) {
    if (threshold.k6_metric === null) continue;
    const own = expressions(subMetric(threshold.k6_metric, threshold.selector));
    const expression = threshold.level === 'fail' ? expressionOf(threshold, benchCase) : null;
    if (expression !== null) own.push(endingWith(expression, threshold, benchCase));
  }
  return options;
}

/**
 * @param {string} expression
 * @param {CaseThreshold} threshold
 * @param {Case} benchCase
 * @returns {K6Threshold} lanes of a duet are short, and end by their time alone
 */
const endingWith = (expression, { abort }, { side }) =>
  !abort || side !== null
    ? expression
    : { threshold: expression, abortOnFail: true, ...(abort.delay !== null && { delayAbortEval: abort.delay }) };

/**
 * The sub-metrics of what only some cases have.
 * @param {Case} benchCase
 * @returns {string[]}
 */
function used({ faults, groups, per_user, window, duration_s, load }) {
  const users = per_user ? Array.from({ length: load.users }, (_, i) => String(i + 1)) : [];
  const endsBefore = window.to_s !== null && (duration_s === null || window.to_s < duration_s);
  return [
    ...(faults.length ? inFaults.map((metric) => subMetric(metric, { phase: 'fault' })) : []),
    ...(faults.length ? [subMetric(driverMetrics.iterations_moved.name, {})] : []),
    ...faults.map((_, i) =>
      subMetricName({ metric: driverMetrics.fault_errors.name, selector: { fault: String(i + 1) } }),
    ),
    ...groups.map((group) => subMetric(driverMetrics.group_duration.name, { group })),
    ...users.flatMap((user) => perUser.map(({ name }) => subMetric(name, { user }))),
    ...(endsBefore ? [subMetric('iterations', { phase: 'cooldown' })] : []),
  ];
}

/**
 * The sub-metrics of one request.
 * @param {Record<string, K6Threshold[]>} options
 * @param {string} name
 * @param {Protocol} [protocol]
 */
export function addRequest(options, name, protocol = 'http') {
  for (const metric of ['http_req_failed', timed[protocol], ...ofRequest]) options[subMetric(metric, { name })] ??= [];
}

/**
 * k6's name of a metric in the measured window.
 * @param {string} metric
 * @param {ThresholdTags} selector
 * @returns {string} http_req_duration{phase:steady,name:GET /}
 */
export const subMetric = (metric, selector) =>
  subMetricName({ metric, selector: hasPhase(metric) ? { phase: 'steady', ...selector } : selector });

/**
 * How long is measured.
 * @param {Case['window']} window
 * @param {number | null} duration_s
 * @param {Case['faults']} faults the others are not
 * @returns {number | null} null: until the iterations are done
 */
export function secondsOf({ from_s, to_s }, duration_s, faults) {
  const end = to_s ?? duration_s;
  return end === null ? null : steadyTime(faults, { from_s, to_s: end });
}

/**
 * A counter's rate is taken of the window, where k6 would divide by the time of the whole run.
 * @param {CaseThreshold} threshold
 * @param {Case} benchCase
 * @returns {string | null} null: k6 cannot judge it
 */
function expressionOf({ metric, aggregation, op, value, expr }, { window, duration_s, faults }) {
  if (aggregation !== 'rate' || k6Metrics[metric] !== 'counter') return expr;
  if (!hasPhase(metric)) return duration_s === null ? null : `count${op}${value * duration_s}`;
  const seconds = secondsOf(window, duration_s, faults);
  return seconds === null ? null : `count${op}${value * seconds}`;
}
