import { k6Aggregations, k6Metrics, serviceAggregations, serviceMetrics } from './metrics.js';

/**
 * @import { Hint, Path, Report } from './error.js'
 * @typedef {object} Threshold
 * @property {string} metric
 * @property {Record<string, string>} selector tags that a sample must have; {}: all samples
 * @property {string} expr as written
 * @property {string} aggregation p(95), avg, count, …
 * @property {string} op
 * @property {number} value
 * @property {'fail' | 'warn'} level
 * @property {number} samples fewer observations than this decide nothing
 * @property {'k6' | 'service'} source
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

/** @param {string} left @returns {number | null} null: not a percentile */
function parsePercentile(left) {
  if (['avg', 'min', 'max', 'med', 'count', 'rate', 'value'].includes(left)) return null;
  const inside = /^p\((.*)\)$/.exec(left)?.[1];
  if (inside === undefined) {
    throw new RangeError(`"${left}" is no aggregation: k6 knows p(N), avg, min, max, med, count, rate and value`);
  }
  if (!number.test(inside) || Number(inside) < 0 || Number(inside) > 100) {
    throw new RangeError(`the percentile in "${left}" is not a number from 0 to 100`);
  }
  return Number(inside);
}

/**
 * Reads a metric with an optional selector as k6 does: `http_req_duration{name:GET /}`.
 * @param {string} key
 * @returns {{ metric: string, selector: Record<string, string> }}
 * @throws {RangeError} k6 would refuse it
 */
export function parseSelector(key) {
  if (!/[{}]/.test(key)) return { metric: key.trim(), selector: {} };
  const parts = /^([^{}]*)\{(.*)\}$/s.exec(key);
  if (!parts) throw new RangeError(`"${key}" is not a metric with a selector like http_req_duration{name:GET /}`);
  const tags = parts[2].split(',').map((tag) => {
    const [, name, value] = /^([^:]*):(.+)$/s.exec(tag) ?? [];
    if (!name?.trim() || !value) {
      throw new RangeError(`"${tag.trim()}" in "${key}" is not a tag with its value, like name:GET /`);
    }
    return [unquote(name), unquote(value)];
  });
  return { metric: parts[1].trim(), selector: Object.fromEntries(tags) };
}

/**
 * The same for whoever looks at a key that may be wrong, and is told of elsewhere.
 * @param {string} key
 * @returns {{ metric: string, selector: Record<string, string> } | null}
 */
export function trySelector(key) {
  try {
    return parseSelector(key);
  } catch {
    return null;
  }
}

/** k6 drops quotes around a tag's name and value. @param {string} text */
const unquote = (text) => text.trim().replace(/^["']+|["']+$/g, '');

/**
 * How many observations a percentile needs before it means something: 20 on its rarer side.
 * @param {number | null} percentile in percent; null: the aggregation is no percentile
 * @returns {number}
 */
export function samplesNeeded(percentile) {
  if (percentile === null) return 1;
  const rarer = Math.min(percentile, 100 - percentile) / 100;
  return rarer === 0 ? 1 : Math.ceil(20 / rarer - 1e-6); // 20 / (1 - 0.95) is 399.9999… in floating point
}

/**
 * The thresholds of a scenario as one list.
 * @param {Record<string, any>} thresholds as written
 * @param {{ custom: boolean, path: Path, report: Report }} context custom: a script may declare metrics of its own
 * @returns {(Threshold & { path: Path })[]}
 */
export function readThresholds(thresholds, { custom, path, report }) {
  return Object.entries(thresholds).flatMap(([key, written]) => {
    const target = readTarget(key, custom, (message, hint) => report([...path, key], message, hint, 'key'));
    if (!target) return [];
    const listed = Array.isArray(written);
    return (listed ? written : [written]).flatMap((entry, i) => {
      const at = [...path, key, ...(listed ? [i] : [])];
      try {
        return [{ ...readThreshold(target, entry), path: at }];
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
 * @param {boolean} custom
 * @param {(message: string, hint?: Hint) => void} report
 */
function readTarget(key, custom, report) {
  try {
    const { metric, selector } = parseSelector(key);
    const type = serviceMetrics.includes(metric) ? 'service' : k6Metrics[metric] ?? (custom ? 'custom' : null);
    if (type !== null) return { metric, selector, type };
    report(`there is no metric "${metric}"`, { got: metric, known: [...Object.keys(k6Metrics), ...serviceMetrics] });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(error.message);
  }
  return null;
}

/**
 * @param {{ metric: string, selector: Record<string, string>, type: string }} target
 * @param {string | { expr: string, level?: 'fail' | 'warn', samples?: number }} entry
 * @returns {Threshold}
 */
function readThreshold({ metric, selector, type }, entry) {
  const { expr, level = 'fail', samples } = typeof entry === 'string' ? { expr: entry } : entry;
  const { aggregation, percentile, op, value } = parseThreshold(expr);
  refuseAggregation(metric, type, aggregation, percentile);
  const floor = type === 'service' ? 1 : type === 'counter' ? 0 : samplesNeeded(percentile);
  const source = type === 'service' ? 'service' : 'k6';
  return { metric, selector, expr, aggregation, op, value, level, samples: samples ?? floor, source };
}

/** @type {Record<string, string[]>} */
const aggregationsOf = { ...k6Aggregations, service: serviceAggregations };

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
  const kind = type === 'service' ? "a service's metric" : `a ${type}`;
  throw new RangeError(`${metric} is ${kind} and has no ${aggregation}, only ${listed(allowed)}`);
}

/** @param {string[]} words */
const listed = (words) => (words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`);
