import { k6Metrics } from './metrics.js';
import { subMetricName, trySubMetric } from './sub-metric.js';

/** @import { SubMetric } from './sub-metric.js' */
/** @import { CaseThreshold } from './thresholds.js' */
/** @import { TomlTable } from './toml.js' */

/**
 * What a script measures itself (k6's Trend, Counter, Rate and Gauge of its own) and a threshold or a gate names: k6 keeps of it what
 * lies within the window only where one does.
 * @typedef {{ metric: string, selector: Record<string, string>, direction: 'lower' | 'higher' | null }} OwnMetric direction: which is
 *   better, by the thresholds on it; null: they do not say
 */

/** The numbers that a record has of each type of k6's. A script's own metrics are of a type that only k6 sees, at run time. */
export const ownNumbers = ['mean', 'p50', 'p95', 'p99', 'max', 'total', 'per_second', 'ratio', 'last', 'min'];

/**
 * @param {{ script: string | null, thresholds: readonly CaseThreshold[] }} scenario
 * @param {TomlTable} compare
 * @returns {OwnMetric[]} none where requests are declared
 */
export function ownMetricsOf({ script, thresholds }, { gate, tolerances }) {
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
 * @param {string} name as a gate has it: "p95{script:checkout_ms}"
 * @returns {SubMetric | null} null: it is of something else
 */
function readOwn(name) {
  const own = /^[^{]*\{script:(.+)\}$/s.exec(name)?.[1];
  return own === undefined ? null : trySubMetric(own);
}

/**
 * What must stay below a limit is better lower. A threshold on all samples says it of a part of them too.
 * @param {readonly CaseThreshold[]} limits
 * @param {SubMetric} own
 * @returns {OwnMetric['direction']}
 */
function directionOf(limits, own) {
  const of = (/** @type {(one: CaseThreshold) => boolean} */ isIt) => {
    const signs = new Set(limits.filter(isIt).map(({ op }) => op[0]));
    if (signs.size !== 1) return null;
    return (
      /** @type {Record<string, OwnMetric['direction']>} */ ({ '<': 'lower', '>': 'higher' })[[...signs][0]] ?? null
    );
  };
  return (
    of((threshold) => subMetricName(threshold) === subMetricName(own)) ?? of(({ metric }) => metric === own.metric)
  );
}
