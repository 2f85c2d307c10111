/** @import { Metric } from '../../../reports/schema/types.d.ts' */

/**
 * Finds the latency from the intended start that is shown where one from the actual start does not count; as
 * reports/lib/metrics.jq names it.
 * @param {Record<string, Metric>} metrics of a record
 * @param {string} name
 * @returns {{ name: string, metric: Metric } | null} null: the metric counts, or there is none in its place
 */
export function intendedOf(metrics, name) {
  const instead = `intended_${name}`;
  const metric = metrics[instead];
  return metrics[name]?.valid === false && metric?.valid ? { name: instead, metric } : null;
}

/** What it is, in words. */
export const fromIntendedStart = 'from the intended start, with the wait for what could not be sent';
