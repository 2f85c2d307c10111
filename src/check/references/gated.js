import { queriesOf } from '../../spec/queries.js';
import { partMetrics, recordMetrics } from '../../spec/record-metrics.js';
import { checkName, reachOf } from './scope.js';

/**
 * @import { Path, Report } from '../../spec/error.js'
 * @import { ChartScope } from './scope.js'
 */

/**
 * What `gate` and `tolerances` name is a metric of the record, of one of its requests, services or lanes, or from Prometheus.
 * @param {Record<string, any>} spec environments that are like others filled in
 * @param {Report} report
 */
export function checkGated(spec, report) {
  const all = Object.keys(spec.scenarios);
  for (const name of all)
    checkCompare(spec.scenarios[name].compare, spec, [name], ['scenarios', name, 'compare'], report);
  checkCompare(spec.compare, spec, all, ['compare'], report);
}

/**
 * @param {Record<string, any> | undefined} compare
 * @param {Record<string, any>} spec
 * @param {string[]} scenarios that it is for
 * @param {Path} path
 * @param {Report} report
 */
function checkCompare(compare, spec, scenarios, path, report) {
  if (compare === undefined) return;
  const queries = scenarios.flatMap((name) => queriesOf(spec, name));
  const reach = reachOf(spec, scenarios);
  const known = [...new Set([...recordMetrics, ...queries.map(({ name }) => name)])];
  compare.gate?.forEach((/** @type {string} */ metric, /** @type {number} */ i) => {
    const at = [...path, 'gate', i];
    checkMetric(metric, { known, reach }, at, report);
    const query = queries.find(({ name }) => name === metric);
    if (!query || query.written.direction) return;
    report(
      at,
      `"${metric}" has no direction: whether more of it is worse is not known`,
      'Give its [metrics] table direction = "lower" or "higher".',
    );
  });
  for (const metric of Object.keys(compare.tolerances ?? {})) {
    const at = [...path, 'tolerances', metric];
    checkMetric(metric, { known, reach }, at, (place, message, hint) => report(place, message, hint, 'key'));
  }
}

/**
 * @param {string} metric
 * @param {{ known: string[], reach: ChartScope }} given
 * @param {Path} path
 * @param {Report} report
 */
function checkMetric(metric, { known, reach }, path, report) {
  const part = readPartMetric(metric);
  if (part === null) return checkName('metric', metric, known, path, report);
  checkPartMetric(metric, path, report);
  const names = { request: reach.requests, service: reach.services, lane: ['load', 'saturation'] };
  checkName(part.kind, part.name, names[part.kind], path, report);
}

/**
 * Reports a metric that requests, services or lanes do not have; which there are is another matter.
 * @param {string} metric "latency_ms_p50{request:create}"; a metric of the record is left alone
 * @param {Path} path
 * @param {Report} report
 */
export function checkPartMetric(metric, path, report) {
  const part = readPartMetric(metric);
  if (part !== null) checkName(`metric of a ${part.kind}`, part.metric, comparable[part.kind], path, report);
}

/** What has a direction, of what a record has of each part. */
const comparable = {
  request: partMetrics.request.filter((name) => recordMetrics.includes(name)),
  service: partMetrics.service.filter((name) => !name.startsWith('network_')),
  lane: recordMetrics,
};

/**
 * @param {string} text
 * @returns {{ metric: string, kind: keyof typeof comparable, name: string } | null} null: it is of the whole case
 */
function readPartMetric(text) {
  const [, metric, kind, name] = /^([^{]*)\{(request|service|lane):(.+)\}$/s.exec(text) ?? [];
  return name === undefined ? null : { metric, kind: /** @type {keyof typeof comparable} */ (kind), name };
}
