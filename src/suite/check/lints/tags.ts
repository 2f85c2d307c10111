import type { Case } from '../../cases/expand.js';
import { resolveExtends } from '../../cases/extends.js';
import { isObserved, k6Metrics, serviceMetrics } from '../../cases/metrics.js';
import { protocolOf } from '../../cases/protocols.js';
import { keyOf, trySubMetric } from '../../cases/sub-metric.js';
import type { TomlTable } from '../../cases/toml.js';
import { nearest } from '../../nearest.js';
import type { Lint, LintContext } from './lints.js';

/** What requests can be told apart by: the driver's own tags, and those of k6 that it adds when a threshold asks. */
const requestTags = [
  'name',
  'scenario',
  'phase',
  'expected_response',
  'method',
  'status',
  'url',
  'proto',
  'error',
  'error_code',
  'tls_version',
  'ip',
];

/** A threshold on what never occurs is met by silence. */
export function lintTags(benchCase: Case, { written }: LintContext): Lint[] {
  const path = ['scenarios', benchCase.scenario, 'thresholds'];
  const focus = 'key' as const;
  if (benchCase.script !== null) return [...misspelt(benchCase, written), ...leftOut(benchCase, written)];
  const protocol = protocolOf(benchCase.requests?.[0]?.method ?? 'get');
  const own = benchCase.thresholds
    .filter(({ source }) => source === 'k6')
    .flatMap((threshold) => {
      const at = { path: [...path, keyOf(written.scenarios[benchCase.scenario].thresholds, threshold) ?? ''], focus };
      const grouped = threshold.metric === 'group_duration' && benchCase.groups.length > 0;
      if (!isObserved(threshold.metric, protocol) && !grouped) {
        const message = `a list of ${{ http: 'requests', grpc: 'calls of gRPC', websocket: 'sessions' }[protocol]} gives ${threshold.metric} no values: the threshold is not judged`;
        return [{ ...at, message }];
      }
      const known = grouped ? [...requestTags, 'group'] : requestTags;
      const unknown = Object.keys(threshold.selector).filter((tag) => !known.includes(tag));
      return unknown.map((tag) => ({
        ...at,
        message: `no request has the tag "${tag}": the threshold is not judged`,
        hint: `They have ${requestTags.join(', ')}.`,
      }));
    });
  return [...own, ...leftOut(benchCase, written)];
}

/** A script may have metrics of its own, but hardly one that is called almost like k6's. */
const misspelt = ({ scenario, thresholds }: Case, written: TomlTable): Lint[] =>
  thresholds
    .filter(({ source, metric }) => source === 'k6' && !Object.hasOwn(k6Metrics, metric))
    .flatMap((threshold) => {
      const near = nearest(threshold.metric, Object.keys(k6Metrics));
      if (near === null) return [];
      const table = written.scenarios[scenario].thresholds;
      return {
        path: ['scenarios', scenario, 'thresholds', keyOf(table, threshold) ?? ''],
        focus: 'key' as const,
        message: `"${threshold.metric}" is not a metric of k6: unless the script adds to it, the threshold is not judged`,
        hint: `Did you mean "${near}"?`,
      };
    });

/**
 * Thresholds on services that this environment, which has others, does not have. One without services is not ours to
 * sample, which is unexpected.
 */
function leftOut({ scenario, environment, services }: Case, written: TomlTable): Lint[] {
  if (!services.length) return [];
  const sampled = services.filter((service) => service.sampled).map(({ name }) => name);
  const places = Object.values(resolveExtends(written.environments, () => {}));
  const everywhere = places.flatMap((environmentTable) => environmentTable.services ?? []);
  const known = everywhere.map(({ name }) => name);
  return Object.keys(written.scenarios[scenario].thresholds ?? {})
    .flatMap((key) => ({ key, ...(trySubMetric(key) ?? { metric: '', selector: {} }) }))
    .filter(
      ({ metric, selector: { service } }) =>
        serviceMetrics.includes(metric) &&
        (service === undefined ? !sampled.length : !sampled.includes(service) && known.includes(service)),
    )
    .map(({ key, metric, selector }) => ({
      path: ['scenarios', scenario, 'thresholds', key],
      focus: 'key',
      message:
        `the environment "${environment}" starts no ${selector.service ?? 'sampled service'}: ` +
        `${metric} is not judged there`,
    }));
}
