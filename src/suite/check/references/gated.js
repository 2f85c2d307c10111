import { ownNumbers } from '../../cases/own-metrics.js';
import { queriesOf } from '../../cases/queries.js';
import { partMetrics, recordMetrics } from '../../cases/record-metrics.js';
import { trySubMetric } from '../../cases/sub-metric.js';
import { checkName, reachOf } from './scope.js';

/** @import { Path, Report } from '../../cases/error.js' */
/** @import { TomlTable } from '../../cases/toml.js' */
/** @import { ChartScope } from './scope.js' */

/**
 * What `gate` and `tolerances` name is a metric of the record, of one of its requests, services or lanes, of its script, or from Prometheus.
 * @param {TomlTable} spec environments that are like others filled in
 * @param {Report} report
 */
export function checkGated(spec, report) {
  const all = Object.keys(spec.scenarios);
  for (const name of all)
    checkCompare(spec.scenarios[name].compare, spec, [name], ['scenarios', name, 'compare'], report);
  checkCompare(spec.compare, spec, all, ['compare'], report);
}

/**
 * @param {TomlTable | undefined} compare
 * @param {TomlTable} spec
 * @param {string[]} scenarios that it is for
 * @param {Path} path
 * @param {Report} report
 */
function checkCompare(compare, spec, scenarios, path, report) {
  if (compare === undefined) return;
  const queries = scenarios.flatMap((name) => queriesOf(spec, name));
  const reach = reachOf(spec, scenarios);
  const known = [...new Set([...recordMetrics, ...queries.map(({ name }) => name)])];
  const script = path.length > 1 ? spec.scenarios[scenarios[0]].script : null;
  compare.gate?.forEach((/** @type {string} */ metric, /** @type {number} */ i) => {
    const at = [...path, 'gate', i];
    checkMetric(metric, { known, reach, script }, at, report);
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
    checkMetric(metric, { known, reach, script }, at, (where, message, hint) => report(where, message, hint, 'key'));
  }
}

/**
 * @param {string} metric
 * @param {{ known: string[], reach: ChartScope, script: string | null | undefined }} given script: of the scenario; null: it is of several
 * @param {Path} path
 * @param {Report} report
 */
function checkMetric(metric, { known, reach, script }, path, report) {
  const part = readPartMetric(metric);
  if (part === null) return checkName('metric', metric, known, path, report);
  checkPartMetric(metric, path, report);
  if (part.kind === 'script') return checkOwn(metric, part.name, script, path, report);
  const names = { request: reach.requests, service: reach.services, lane: ['load', 'saturation'] };
  checkName(part.kind, part.name, names[part.kind], path, report);
}

/**
 * The same for bench.toml, which is for every scenario of every system.
 * @param {string} metric
 * @param {Path} path
 * @param {Report} report
 */
export function checkSuiteMetric(metric, path, report) {
  const part = readPartMetric(metric);
  if (part?.kind === 'script') checkOwn(metric, part.name, null, path, report);
  else checkPartMetric(metric, path, report);
}

/**
 * @param {string} metric "p95{script:checkout_ms}"
 * @param {string} own its name in the script, which only k6 knows
 * @param {string | null | undefined} script
 * @param {Path} path
 * @param {Report} report
 */
function checkOwn(metric, own, script, path, report) {
  const hint = 'Name it in [scenarios.NAME.compare] of a scenario that has a script.';
  if (script === null) report(path, `"${metric}" is of a script, and this is for every scenario`, hint);
  else if (script === undefined) report(path, `"${metric}" is of a script, and the scenario has none`, hint);
  else if (trySubMetric(own) === null) {
    report(path, `"${own}" is not a metric of k6, like checkout_ms or checkout_ms{step:pay}`);
  }
}

/**
 * Reports a metric that requests, services, scripts or lanes do not have; which there are is another matter.
 * @param {string} metric "latency_ms_p50{request:create}"; a metric of the record is left alone
 * @param {Path} path
 * @param {Report} report
 */
function checkPartMetric(metric, path, report) {
  const part = readPartMetric(metric);
  if (part !== null) checkName(`metric of a ${part.kind}`, part.metric, comparable[part.kind], path, report);
}

/** What has a direction, of what a record has of each part. */
const comparable = {
  request: partMetrics.request.filter((name) => recordMetrics.includes(name)),
  service: partMetrics.service.filter((name) => !name.startsWith('network_')),
  script: ownNumbers,
  lane: recordMetrics,
};

/**
 * @param {string} text
 * @returns {{ metric: string, kind: keyof typeof comparable, name: string } | null} null: it is of the whole case
 */
function readPartMetric(text) {
  const [, metric, kind, name] = /^([^{]*)\{(request|service|script|lane):(.+)\}$/s.exec(text) ?? [];
  return name === undefined ? null : { metric, kind: /** @type {keyof typeof comparable} */ (kind), name };
}
