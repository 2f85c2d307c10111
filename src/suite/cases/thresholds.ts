import { parseDuration } from './durations.js';
import type { Hint, Path, Report } from './error.js';
import { k6Aggregations, k6Metrics, recordThresholds, serviceAggregations, serviceMetrics } from './metrics.js';
import { parseSubMetric } from './sub-metric.js';
import { driverMetrics, limits } from './tables.js';
import type { TomlTable } from './toml.js';

export type CaseThreshold = {
  metric: string;
  /** tags that a sample must have; {}: all samples */
  selector: Record<string, string>;
  /** as written */
  expr: string;
  /** p(95), avg, count, … */
  aggregation: string;
  /** that it is, 0 for min, 50 for med, 100 for max; null: it is none */
  percentile: number | null;
  op: string;
  value: number;
  /** of value and of what is observed; null: whoever measured it says, k6 or the query */
  unit: string | null;
  level: 'fail' | 'warn';
  /** fewer observations than this decide nothing */
  min_samples: number;
  /** record: worked out of the rounds; query: from Prometheus */
  source: 'k6' | 'service' | 'record' | 'query';
  /** k6's name of the metric, which is another for groups of declared requests; null: it is none of k6's */
  k6_metric: string | null;
  /** k6 ends the load as soon as it is missed, after so long at the earliest */
  abort?: { delay: string | null };
  /** where nothing was observed it is as if it were not there */
  optional?: boolean;
  /** why it is not, in the load lane of a duet */
  not_judged?: string;
};

const operators = /^([^<>=!]*)(<=|<|>=|>|===|==|!=)(.*)$/s;
const number = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Reads a threshold expression in k6's grammar (its metrics/thresholds_parser.go): `p(95)<50`.
 * @throws {RangeError} k6 would refuse it
 */
export function parseThreshold(expr: string): {
  aggregation: string;
  percentile: number | null;
  op: string;
  value: number;
} {
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
 * @returns null: k6 would refuse it
 */
export function tryThreshold(expr: string): Pick<CaseThreshold, 'aggregation' | 'percentile' | 'op' | 'value'> | null {
  try {
    const { percentile, ...read } = parseThreshold(expr);
    return { ...read, percentile: percentile ?? named[read.aggregation] ?? null };
  } catch {
    return null;
  }
}

/** The percentiles that have names. */
const named: Record<string, number> = { min: 0, med: 50, max: 100 };

/** @returns null: not a percentile by number */
function parsePercentile(left: string): number | null {
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
 * @param percentile in percent; null: the aggregation is not a percentile
 */
export function samplesNeeded(percentile: number | null): number {
  if (percentile === null) return 1;
  const rarer = Math.min(percentile, 100 - percentile) / 100;
  return rarer === 0 ? 1 : Math.ceil(limits.rarer_samples / rarer - 1e-6); // 20 / (1 - 0.95) is 399.9999… in floating point
}

/**
 * The thresholds of a scenario as one list.
 * @param thresholds as written
 * @param context custom: a script may declare metrics of its own; queries: the names of metrics from Prometheus; groups:
 *   those of ours
 */
export function readThresholds(
  thresholds: TomlTable,
  {
    custom,
    queries = [],
    groups = [],
    path,
    report,
  }: { custom: boolean; queries?: string[]; groups?: string[]; path: Path; report: Report },
): (CaseThreshold & { path: Path })[] {
  return Object.entries(thresholds).flatMap(([key, written]) => {
    const refuse = (message: string, hint?: Hint) => report([...path, key], message, hint, 'key');
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

/** The metric that a threshold is on. */
function readTarget(
  key: string,
  { custom, queries }: { custom: boolean; queries: string[] },
  report: (message: string, hint?: Hint) => void,
) {
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

/** @returns null: k6 may know it from a script */
function typeOf(metric: string, queries: string[]): string | null {
  if (queries.includes(metric)) return 'query';
  if (serviceMetrics.includes(metric)) return 'service';
  return Object.hasOwn(recordThresholds, metric) ? metric : (k6Metrics[metric] ?? null);
}

/** Units of what the services, faults and users have; of other metrics of services, bytes. */
const units: Record<string, string> = {
  recovery_ms: 'ms',
  fault_errors: 'ratio',
  receiving_rate: 'bytes/s',
  cpu_ratio: 'cores',
  cpu_ms_per_request: 'ms',
  descriptors_count: '1',
};

const unitOf = (metric: string, source: CaseThreshold['source']) =>
  source === 'k6' || source === 'query' ? null : (units[metric] ?? 'bytes');

/**
 * k6 times its own groups, with their pauses. Groups of declared requests have a metric of their own, without pauses.
 * @param groups of ours
 */
const nameInK6 = (metric: string, selector: Record<string, string>, groups: string[]) =>
  metric === 'group_duration' && groups.includes(selector.group ?? groups[0])
    ? driverMetrics.group_duration.name
    : metric;

function sourceOf(type: string): CaseThreshold['source'] {
  if (type === 'service' || type === 'query') return type;
  return Object.hasOwn(recordThresholds, type) ? 'record' : 'k6';
}

/** @param entry optional: of a script's, not of a spec's */
function readThreshold(
  { metric, selector, type }: { metric: string; selector: Record<string, string>; type: string },
  entry:
    | string
    | {
        expr: string;
        level?: 'fail' | 'warn';
        min_samples?: number;
        abort_on_fail?: boolean;
        delay_abort_eval?: string;
        optional?: boolean;
      },
  groups: string[],
): CaseThreshold {
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

/** @throws {RangeError} k6 cannot end the load for it */
function readAbort(
  { abort_on_fail = false, delay_abort_eval }: { abort_on_fail?: boolean; delay_abort_eval?: string },
  { level, source }: Pick<CaseThreshold, 'level' | 'source'>,
): Pick<CaseThreshold, 'abort'> {
  if (!abort_on_fail) {
    if (delay_abort_eval === undefined) return {};
    throw new RangeError('delay_abort_eval says how long abort_on_fail waits: add abort_on_fail = true');
  }
  if (source !== 'k6')
    throw new RangeError('abort_on_fail is for metrics of k6: the values of other metrics are known afterwards');
  if (level === 'warn') throw new RangeError('abort_on_fail ends the load, and a threshold of level "warn" never does');
  if (delay_abort_eval !== undefined) parseDuration(delay_abort_eval);
  return { abort: { delay: delay_abort_eval ?? null } };
}

const aggregationsOf: Record<string, string[]> = {
  ...k6Aggregations,
  ...recordThresholds,
  service: serviceAggregations,
  query: ['value'],
};

/** @param type custom: k6 itself checks what a script declares */
function refuseAggregation(metric: string, type: string, aggregation: string, percentile: number | null) {
  if (type === 'custom') return;
  const allowed = aggregationsOf[type];
  if (allowed.includes(percentile === null ? aggregation : 'p(N)')) return;
  const kind =
    { service: " is a service's metric and", query: ' is a metric from Prometheus and' }[type] ??
    (type === metric ? '' : ` is a ${type} and`);
  throw new RangeError(`${metric}${kind} has no ${aggregation}, only ${listed(allowed)}`);
}

const listed = (words: string[]) =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
