/** A metric, or the part of its samples that has certain tags. */
export type SubMetric = { metric: string; selector: Record<string, string> };

/**
 * Reads k6's name of a sub-metric as k6 does (its metrics/metric.go); reports/lib/sub_metric.jq does the same.
 * @param name `http_req_duration{name:GET /}`
 * @returns selector: {} of a metric
 * @throws {RangeError} k6 would refuse it
 */
export function parseSubMetric(name: string): SubMetric {
  if (!/[{}]/.test(name)) return { metric: name.trim(), selector: {} };
  const parts = /^([^{}]*)\{(.*)\}$/s.exec(name);
  if (!parts) throw new RangeError(`"${name}" is not a metric with a selector like http_req_duration{name:GET /}`);
  const tags = parts[2].split(',').map((text) => {
    const [, tag, value] = /^([^:]*):(.+)$/s.exec(text) ?? [];
    if (!tag?.trim() || !value) {
      throw new RangeError(`"${text.trim()}" in "${name}" is not a tag with its value, like name:GET /`);
    }
    return [unquote(tag), unquote(value)];
  });
  return { metric: parts[1].trim(), selector: Object.fromEntries(tags) };
}

/** Drops quotes around a tag's name or value, as k6 does. */
const unquote = (text: string) => text.trim().replace(/^["']+|["']+$/g, '');

/**
 * Reads a name that may be wrong, for those who need not say so.
 * @returns null: k6 would refuse it
 */
export function trySubMetric(name: string): SubMetric | null {
  try {
    return parseSubMetric(name);
  } catch {
    return null;
  }
}

/**
 * Writes k6's name of a sub-metric. The order of tags is fixed, phase first and the rest by name: of two names that
 * differ only in it, k6 keeps one.
 * @returns `http_req_duration{phase:steady,name:GET /}`
 */
export function subMetricName({ metric, selector }: SubMetric): string {
  const { phase, ...others } = selector;
  const rest = Object.keys(others)
    .sort()
    .map((tag) => `${tag}:${others[tag]}`);
  const tags = phase === undefined ? rest : [`phase:${phase}`, ...rest];
  return tags.length ? `${metric}{${tags.join(',')}}` : metric;
}

/**
 * Finds the key of a table that names a sub-metric, however it is written there.
 * @param table the thresholds of a scenario
 */
export function keyOf(table: Record<string, unknown>, subMetric: SubMetric): string | undefined {
  const name = subMetricName(subMetric);
  return Object.keys(table).find((key) => {
    const own = trySubMetric(key);
    return own !== null && subMetricName(own) === name;
  });
}
