import type { Metric } from '../../../reports/schema/types.d.ts';

/**
 * Finds the latency from the intended start that is shown where one from the actual start does not count; as
 * reports/lib/metrics.jq names it.
 * @param metrics of a record
 * @returns null: the metric counts, or there is none in its place
 */
export function intendedOf(metrics: Record<string, Metric>, name: string): { name: string; metric: Metric } | null {
  const instead = `intended_${name}`;
  const metric = metrics[instead];
  return metrics[name]?.valid === false && metric?.valid ? { name: instead, metric } : null;
}

/** What it is, in words. */
export const fromIntendedStart = 'from the intended start, with the wait for what could not be sent';
