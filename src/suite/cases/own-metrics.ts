import { k6Metrics } from './metrics.js';
import { type SubMetric, subMetricName, trySubMetric } from './sub-metric.js';
import type { CaseThreshold } from './thresholds.js';
import type { TomlTable } from './toml.js';

/**
 * What a script measures itself (k6's Trend, Counter, Rate and Gauge of its own) and a threshold or a gate names: k6 keeps of
 * it what lies within the window only where one does. direction: which is better, by the thresholds on it; null: they do not
 * say
 */
export type OwnMetric = { metric: string; selector: Record<string, string>; direction: 'lower' | 'higher' | null };

/** The numbers that a record has of each type of k6's. A script's own metrics are of a type that only k6 sees, at run time. */
export const ownNumbers = ['mean', 'p50', 'p95', 'p99', 'max', 'total', 'per_second', 'ratio', 'last', 'min'];

/** @returns none where requests are declared */
export function ownMetricsOf(
  { script, thresholds }: { script: string | null; thresholds: readonly CaseThreshold[] },
  { gate, tolerances }: TomlTable,
): OwnMetric[] {
  if (script === null) return [];
  const limits = thresholds.filter(({ metric, source }) => source === 'k6' && !Object.hasOwn(k6Metrics, metric));
  const compared = [...gate, ...Object.keys(tolerances)].flatMap((name) => readOwn(name) ?? []);
  const named = new Map([...limits, ...compared].map((subMetric) => [subMetricName(subMetric), subMetric]));
  return [...named.values()].map(({ metric, selector }) => ({
    metric,
    selector,
    direction: directionOf(limits, { metric, selector }),
  }));
}

/**
 * @param name as a gate has it: "p95{script:checkout_ms}"
 * @returns null: it is of something else
 */
function readOwn(name: string): SubMetric | null {
  const own = /^[^{]*\{script:(.+)\}$/s.exec(name)?.[1];
  return own === undefined ? null : trySubMetric(own);
}

/** What must stay below a limit is better lower. A threshold on all samples says it of a part of them too. */
function directionOf(limits: readonly CaseThreshold[], own: SubMetric): OwnMetric['direction'] {
  const of = (isIt: (one: CaseThreshold) => boolean) => {
    const signs = new Set(limits.filter(isIt).map(({ op }) => op[0]));
    if (signs.size !== 1) return null;
    return ({ '<': 'lower', '>': 'higher' } as Record<string, OwnMetric['direction']>)[[...signs][0]] ?? null;
  };
  return (
    of((threshold) => subMetricName(threshold) === subMetricName(own)) ?? of(({ metric }) => metric === own.metric)
  );
}
