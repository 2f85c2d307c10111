import { parseDuration } from './durations.js';
import { k6Aggregations, k6Metrics, recordThresholds, serviceAggregations, serviceMetrics } from './metrics.js';
import { parseSubMetric } from './sub-metric.js';
import { driverMetrics, limits } from './tables.js';

/** @import { Hint, Path, Report } from './error.js' */
/** @import { TomlTable } from './toml.js' */

/**
 * @typedef {object} CaseThreshold
 * @property {string} metric
 * @property {Record<string, string>} selector tags that a sample must have; {}: all samples
 * @property {string} expr as written
 * @property {string} aggregation p(95), avg, count, …
 * @property {number | null} percentile that it is, 0 for min, 50 for med, 100 for max; null: it is none
 * @property {string} op
 * @property {number} value
 * @property {string | null} unit of value and of what is observed; null: whoever measured it says, k6 or the query
 * @property {'fail' | 'warn'} level
 * @property {number} min_samples fewer observations than this decide nothing
 * @property {'k6' | 'service' | 'record' | 'query'} source record: worked out of the rounds; query: from Prometheus
 * @property {string | null} k6_metric k6's name of the metric, which is another for groups of declared requests; null: it is none of k6's
 * @property {{ delay: string | null }} [abort] k6 ends the load as soon as it is missed, after so long at the earliest
 * @property {boolean} [optional] where nothing was observed it is as if it were not there
 * @property {string} [not_judged] why it is not, in the load lane of a duet
 */

const operators = /^([^<>=!]*)(<=|<|>=|>|===|==|!=)(.*)$/s;
const number = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Reads a threshold expression in k6's grammar (its metrics/thresholds_parser.go): `p(95)<50`.
 * @param {string} expr
 * @returns {{ aggregation: string, percentile: number | null, op: string, value: number }}
 * @throws {RangeError} k6 would refuse it
 */
export function parseThreshold(expr) {
  const parts = operators.exec(expr);
  if (!parts) throw new RangeError(`"${expr}" has no comparison: write it like "p(95)<50" or "rate<=0.01"`);
  const [left, op, right] = [parts[1].trim(), parts[2], parts[3].trim()];
  const percentile = parsePercentile(left);
  if (!number.test(right)) {
    throw new RangeError(`"${expr}" compares with ${right ? `"${right}"` : 'nothing'}, which is not a number`);
  }
  return { aggregation: left, percentile, op, value: Number(right) };
}

/**
 * Reads a threshold expression of whatever may be none.
 * @param {string} expr
 * @returns {Pick<CaseThreshold, 'aggregation' | 'percentile' | 'op' | 'value'> | null} null: k6 would refuse it
 */
export function tryThreshold(expr) {
  try {
    const { percentile, ...read } = parseThreshold(expr);
    return { ...read, percentile: percentile ?? named[read.aggregation] ?? null };
  } catch {
    return null;
  }
}

/** The percentiles that have names. @type {Record<string, number>} */
const named = { min: 0, med: 50, max: 100 };

/** @param {string} left @returns {number | null} null: not a percentile by number */
function parsePercentile(left) {
  if (['avg', 'min', 'max', 'med', 'count', 'rate', 'value'].includes(left)) return null;
  const inside = /^p\((.*)\)$/.exec(left)?.[1];
  if (inside === undefined) {
    throw new RangeError(`"${left}" is not an aggregation: k6 knows p(N), avg, min, max, med, count, rate and value`);
  }
  if (!number.test(inside) || Number(inside) < 0 || Number(inside) > 100) {
    throw new RangeError(`the percentile in "${left}" is not a number from 0 to 100`);
  }
  return Number(inside);
}

/**
 * How many observations a percentile needs before it means something.
 * @param {number | null} percentile in percent; null: the aggregation is not a percentile
 * @returns {number}
 */
export function samplesNeeded(percentile) {
  if (percentile === null) return 1;
  const rarer = Math.min(percentile, 100 - percentile) / 100;
  return rarer === 0 ? 1 : Math.ceil(limits.rarer_samples / rarer - 1e-6); // 20 / (1 - 0.95) is 399.9999… in floating point
}

/**
 * The thresholds of a scenario as one list.
 * @param {TomlTable} thresholds as written
 * @param {{ custom: boolean, queries?: string[], groups?: string[], path: Path, report: Report }} context custom: a script may
 *   declare metrics of its own; queries: the names of metrics from Prometheus; groups: those of ours
 * @returns {(CaseThreshold & { path: Path })[]}
 */
export function readThresholds(thresholds, { custom, queries = [], groups = [], path, report }) {
  return Object.entries(thresholds).flatMap(([key, written]) => {
    /** @param {string} message @param {Hint} [hint] */
    const refuse = (message, hint) => report([...path, key], message, hint, 'key');
    const target = readTarget(key, { custom, queries }, refuse);
    if (!target) return [];
    const listed = Array.isArray(written);
    return (listed ? written : [written]).flatMap((entry, i) => {
      const at = [...path, key, ...(listed ? [i] : [])];
      try {
        return [{ ...readThreshold(target, entry, groups), path: at }];
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        report(at, error.message);
        return [];
      }
    });
  });
}

/**
 * What a threshold is on.
 * @param {string} key
 * @param {{ custom: boolean, queries: string[] }} context
 * @param {(message: string, hint?: Hint) => void} report
 */
function readTarget(key, { custom, queries }, report) {
  try {
    const { metric, selector } = parseSubMetric(key);
    const type = typeOf(metric, queries) ?? (custom ? 'custom' : null);
    if (type !== null) return { metric, selector, type };
    const known = [...Object.keys(k6Metrics), ...serviceMetrics, ...Object.keys(recordThresholds), ...queries];
    report(`there is no metric "${metric}"`, { got: metric, known });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(error.message);
  }
  return null;
}

/** @param {string} metric @param {string[]} queries @returns {string | null} null: k6 may know it from a script */
function typeOf(metric, queries) {
  if (queries.includes(metric)) return 'query';
  if (serviceMetrics.includes(metric)) return 'service';
  return Object.hasOwn(recordThresholds, metric) ? metric : (k6Metrics[metric] ?? null);
}

/** Units of what the services, faults and users have; of other metrics of services, bytes. @type {Record<string, string>} */
const units = {
  recovery_ms: 'ms',
  fault_errors: 'ratio',
  receiving_rate: 'bytes/s',
  cpu_ratio: 'cores',
  cpu_ms_per_request: 'ms',
  descriptors_count: '1',
};

/** @param {string} metric @param {CaseThreshold['source']} source */
const unitOf = (metric, source) => (source === 'k6' || source === 'query' ? null : (units[metric] ?? 'bytes'));

/**
 * k6 times its own groups, with their pauses. Groups of declared requests have a metric of their own, without pauses.
 * @param {string} metric
 * @param {Record<string, string>} selector
 * @param {string[]} groups of ours
 */
const nameInK6 = (metric, selector, groups) =>
  metric === 'group_duration' && groups.includes(selector.group ?? groups[0])
    ? driverMetrics.group_duration.name
    : metric;

/** @param {string} type @returns {CaseThreshold['source']} */
function sourceOf(type) {
  if (type === 'service' || type === 'query') return type;
  return Object.hasOwn(recordThresholds, type) ? 'record' : 'k6';
}

/**
 * @param {{ metric: string, selector: Record<string, string>, type: string }} target
 * @param {string | { expr: string, level?: 'fail' | 'warn', min_samples?: number, abort_on_fail?: boolean,
 *   delay_abort_eval?: string, optional?: boolean }} entry optional: of a script's, not of a spec's
 * @param {string[]} groups
 * @returns {CaseThreshold}
 */
function readThreshold({ metric, selector, type }, entry, groups) {
  const { expr, level = 'fail', min_samples, optional, ...ends } = typeof entry === 'string' ? { expr: entry } : entry;
  const { aggregation, percentile, op, value } = parseThreshold(expr);
  refuseAggregation(metric, type, aggregation, percentile);
  const source = sourceOf(type);
  const floor = source !== 'k6' ? 1 : type === 'counter' ? 0 : samplesNeeded(percentile);
  const abort = readAbort(ends, { level, source });
  return {
    metric,
    selector,
    expr,
    aggregation,
    percentile: percentile ?? named[aggregation] ?? null,
    op,
    value,
    unit: unitOf(metric, source),
    level,
    min_samples: min_samples ?? floor,
    source,
    k6_metric: source === 'k6' ? nameInK6(metric, selector, groups) : null,
    ...abort,
    ...(optional && { optional }),
  };
}

/**
 * @param {{ abort_on_fail?: boolean, delay_abort_eval?: string }} written
 * @param {Pick<CaseThreshold, 'level' | 'source'>} threshold
 * @returns {Pick<CaseThreshold, 'abort'>}
 * @throws {RangeError} k6 cannot end the load for it
 */
function readAbort({ abort_on_fail = false, delay_abort_eval }, { level, source }) {
  if (!abort_on_fail) {
    if (delay_abort_eval === undefined) return {};
    throw new RangeError('delay_abort_eval says how long abort_on_fail waits: add abort_on_fail = true');
  }
  if (source !== 'k6')
    throw new RangeError('abort_on_fail is for metrics of k6: what others measure is known afterwards');
  if (level === 'warn') throw new RangeError('abort_on_fail ends the load, and a threshold of level "warn" never does');
  if (delay_abort_eval !== undefined) parseDuration(delay_abort_eval);
  return { abort: { delay: delay_abort_eval ?? null } };
}

/** @type {Record<string, string[]>} */
const aggregationsOf = { ...k6Aggregations, ...recordThresholds, service: serviceAggregations, query: ['value'] };

/**
 * @param {string} metric
 * @param {string} type custom: k6 itself checks what a script declares
 * @param {string} aggregation
 * @param {number | null} percentile
 */
function refuseAggregation(metric, type, aggregation, percentile) {
  if (type === 'custom') return;
  const allowed = aggregationsOf[type];
  if (allowed.includes(percentile === null ? aggregation : 'p(N)')) return;
  const kind =
    { service: " is a service's metric and", query: ' is a metric from Prometheus and' }[type] ??
    (type === metric ? '' : ` is a ${type} and`);
  throw new RangeError(`${metric}${kind} has no ${aggregation}, only ${listed(allowed)}`);
}

/** @param {string[]} words */
const listed = (words) => (words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`);
