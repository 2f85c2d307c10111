import type { Distribution } from '../../../reports/schema/types.d.ts';
import type { Quantiles } from '../../../site/assets/js/quantiles.js';
import * as quantiles from '../../../site/assets/js/quantiles.js';
import type { Entry } from '../collect/collect-record.js';
import { valuesText } from '../model/series.js';

export { shownPercentiles, textAt } from '../../../site/assets/js/quantiles.js';

/**
 * The latencies of a record as the charts draw them.
 */

export const hasLatencies = ({ record }: Entry) => Boolean(record.distribution?.count);

export const quantilesOf = ({ record }: Entry): Quantiles => quantiles.quantilesOf(record.distribution as Distribution);

/** @returns '' when all of their latencies count */
export function invalidNote(entries: Entry[]): string {
  const out = entries.filter(({ record }) => record.metrics.latency_ms_p50?.valid === false);
  const reasonOf = ({ record }: Entry) => record.metrics.latency_ms_p50.reason ?? 'not valid';
  if (!out.length) return '';
  if (entries.length === 1) return `⊘ These latencies do not count: ${reasonOf(out[0])}.`;
  return `⊘ These do not count: ${out.map((entry) => `${valuesText(entry.record) || entry.case} (${reasonOf(entry)})`).join('; ')}.`;
}
