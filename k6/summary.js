import { driverMetrics } from '../dist/suite/cases/tables.js';
import { formatCount, formatInUnit } from '../site/assets/js/format.js';
import { subMetric } from './plan/thresholds.js';

/** @import { Facts } from './plan/make-plan.js' */

/**
 * @typedef {{ values: Record<string, number>, thresholds?: Record<string, { ok: boolean }> }} SummaryMetric
 * @typedef {Record<string, SummaryMetric>} SummaryMetrics
 */

/**
 * Makes what k6 calls when the run is over: it writes all that was measured to the file SUMMARY, or prints the main
 * of it.
 * @param {Facts} facts
 * @returns {(data: { metrics: SummaryMetrics }) => Record<string, string>}
 */
export const createSummary = (facts) => (data) =>
  __ENV.SUMMARY ? { [__ENV.SUMMARY]: JSON.stringify(data) } : { stdout: summaryText(data.metrics, facts) };

/**
 * What plain k6 prints at the end: the measured window in a few lines, and the thresholds.
 * @param {SummaryMetrics} metrics as handleSummary has them
 * @param {Facts} facts
 * @returns {string}
 */
function summaryText(metrics, facts) {
  const { seconds } = facts;
  const value = (/** @type {string} */ metric, /** @type {string} */ key, selector = {}) =>
    metrics[subMetric(metric, selector)]?.values[key] ?? 0;
  const rate = (/** @type {number} */ count) => (seconds === null ? '' : ` (${formatInUnit(count / seconds, '1/s')})`);
  const requests = value('http_req_failed', 'passes') + value('http_req_failed', 'fails');
  const lines = [
    `${facts.title} (${facts.name}) at ${withoutUser(facts.target)}, ${windowText(facts)}`,
    '',
    `  requests     ${formatCount(requests)}${rate(requests)}`,
    `  iterations   ${formatCount(value('iterations', 'count'))}${rate(value('iterations', 'count'))}, ` +
      `${formatCount(metrics.dropped_iterations?.values.count ?? 0)} dropped in the whole run`,
    `  errors       ${formatCount(value(driverMetrics.network_errors.name, 'count'))} without a response, ` +
      `${formatCount(value(driverMetrics.status_errors.name, 'count'))} unexpected statuses, ` +
      `${formatCount(value(driverMetrics.failed_expectations.name, 'count'))} failed expectations, ` +
      `${formatCount(value(driverMetrics.exceptions.name, 'count'))} exceptions`,
    `  latency      ${latency(metrics[subMetric(facts.timed, {})]?.values)}`,
    ...(facts.requests.length > 1 ? linesOf(metrics, facts.timed, 'name', facts.requests) : []),
    ...linesOf(metrics, driverMetrics.group_duration.name, 'group', facts.groups),
    ...(facts.faults ? ['', noFaults] : []),
    ...thresholdLines(metrics, facts.thresholds),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

/** @param {Facts} facts */
const windowText = ({ window: { from_s, to_s } }) => `from ${from_s} s to ${to_s === null ? 'the end' : `${to_s} s`}`;

/** Credentials in a URL are not for the terminal. @param {string} url */
const withoutUser = (url) => url.replace(/\/\/[^/@]*@/, '//');

const noFaults =
  'faults are for `benchfolio run` to make: nothing went wrong here, and what would be around them is ' + 'left out';

/**
 * A line for each request, or each group.
 * @param {SummaryMetrics} metrics
 * @param {string} metric
 * @param {'name' | 'group'} tag
 * @param {string[]} names
 */
function linesOf(metrics, metric, tag, names) {
  const width = Math.max(...names.map((name) => name.length));
  return [...new Set(names)].map((name) => {
    const values = metrics[subMetric(metric, { [tag]: name })]?.values;
    return `    ${name.padEnd(width)}  ${formatCount(values?.count ?? 0)}, ${latency(values)}`;
  });
}

/** Why plain k6 leaves a threshold out, by its source. @type {Record<string, string>} */
const reasons = {
  k6: 'a warning',
  service: 'on services',
  record: 'on faults or users',
  query: 'from Prometheus',
};

/** @param {SummaryMetrics} metrics @param {Facts['thresholds']} thresholds */
function thresholdLines(metrics, thresholds) {
  const judged = Object.entries(metrics).flatMap(([name, metric]) =>
    Object.entries(metric.thresholds ?? {}).map(([expr, { ok }]) => `  ${ok ? 'met   ' : 'missed'} ${name} ${expr}`),
  );
  const left = thresholds.filter(({ source, level }) => source !== 'k6' || level === 'warn');
  const leftLines = left.map(
    ({ metric, expr, source }) => `  left   ${metric} ${expr} (${reasons[source]}: judged by \`benchfolio run\`)`,
  );
  return judged.length + left.length ? ['', 'thresholds', ...judged, ...leftLines] : [];
}

/** @param {Record<string, number> | undefined} values milliseconds */
function latency(values) {
  if (!values?.count) return 'nothing measured';
  const shown = { p50: values['p(50)'], p95: values['p(95)'], p99: values['p(99)'], max: values.max };
  return Object.entries(shown)
    .map(([key, ms]) => `${key} ${formatInUnit(ms, 'ms')}`)
    .join(', ');
}
