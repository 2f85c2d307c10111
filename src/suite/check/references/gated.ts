import type { Path, Report } from '../../cases/error.js';
import { ownNumbers } from '../../cases/own-metrics.js';
import { queriesOf } from '../../cases/queries.js';
import { partMetrics, recordMetrics } from '../../cases/record-metrics.js';
import { trySubMetric } from '../../cases/sub-metric.js';
import type { TomlTable } from '../../cases/toml.js';
import { type ChartScope, checkName, reachOf } from './scope.js';

/**
 * What `gate` and `tolerances` name is a metric of the record, of one of its requests, services or lanes, of its script, or
 * from Prometheus.
 * @param spec environments that are like others filled in
 */
export function checkGated(spec: TomlTable, report: Report) {
  const all = Object.keys(spec.scenarios);
  for (const name of all)
    checkCompare(spec.scenarios[name].compare, spec, [name], ['scenarios', name, 'compare'], report);
  checkCompare(spec.compare, spec, all, ['compare'], report);
}

/** @param scenarios that it is for */
function checkCompare(
  compare: TomlTable | undefined,
  spec: TomlTable,
  scenarios: string[],
  path: Path,
  report: Report,
) {
  if (compare === undefined) return;
  const queries = scenarios.flatMap((name) => queriesOf(spec, name));
  const reach = reachOf(spec, scenarios);
  const known = [...new Set([...recordMetrics, ...queries.map(({ name }) => name)])];
  const script = path.length > 1 ? spec.scenarios[scenarios[0]].script : null;
  compare.gate?.forEach((metric: string, i: number) => {
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

/** @param given script: of the scenario; null: it is of several */
function checkMetric(
  metric: string,
  { known, reach, script }: { known: string[]; reach: ChartScope; script: string | null | undefined },
  path: Path,
  report: Report,
) {
  const part = readPartMetric(metric);
  if (part === null) return checkName('metric', metric, known, path, report);
  checkPartMetric(metric, path, report);
  if (part.kind === 'script') return checkOwn(metric, part.name, script, path, report);
  const names = { request: reach.requests, service: reach.services, lane: ['load', 'saturation'] };
  checkName(part.kind, part.name, names[part.kind], path, report);
}

/** The same for bench.toml, which is for every scenario of every system. */
export function checkSuiteMetric(metric: string, path: Path, report: Report) {
  const part = readPartMetric(metric);
  if (part?.kind === 'script') checkOwn(metric, part.name, null, path, report);
  else checkPartMetric(metric, path, report);
}

/**
 * @param metric "p95{script:checkout_ms}"
 * @param own its name in the script, which only k6 knows
 */
function checkOwn(metric: string, own: string, script: string | null | undefined, path: Path, report: Report) {
  const hint = 'Name it in [scenarios.NAME.compare] of a scenario that has a script.';
  if (script === null) report(path, `"${metric}" is of a script, and this is for every scenario`, hint);
  else if (script === undefined) report(path, `"${metric}" is of a script, and the scenario has none`, hint);
  else if (trySubMetric(own) === null) {
    report(path, `"${own}" is not a metric of k6, like checkout_ms or checkout_ms{step:pay}`);
  }
}

/**
 * Reports a metric that requests, services, scripts or lanes do not have; which there are is another matter.
 * @param metric "latency_ms_p50{request:create}"; a metric of the record is left alone
 */
function checkPartMetric(metric: string, path: Path, report: Report) {
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

/** @returns null: it is of the whole case */
function readPartMetric(text: string): { metric: string; kind: keyof typeof comparable; name: string } | null {
  const [, metric, kind, name] = /^([^{]*)\{(request|service|script|lane):(.+)\}$/s.exec(text) ?? [];
  return name === undefined ? null : { metric, kind: kind as keyof typeof comparable, name };
}
