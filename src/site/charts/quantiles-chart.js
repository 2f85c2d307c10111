import * as quantiles from '../../../site/assets/js/quantiles.js';
import { valuesText } from '../model/series.js';

/** @import { Distribution } from '../../../reports/schema/types.d.ts' */
/** @import { Quantiles } from '../../../site/assets/js/quantiles.js' */
/** @import { Entry } from '../collect/collect-record.js' */

export { shownPercentiles, textAt } from '../../../site/assets/js/quantiles.js';

/**
 * The latencies of a record as the charts draw them.
 */

/** @param {Entry} entry */
export const hasLatencies = ({ record }) => Boolean(record.distribution?.count);

/** @param {Entry} entry @returns {Quantiles} */
export const quantilesOf = ({ record }) => quantiles.quantilesOf(/** @type {Distribution} */ (record.distribution));

/**
 * @param {Entry[]} entries
 * @returns {string} '' when all of their latencies count
 */
export function invalidNote(entries) {
  const out = entries.filter(({ record }) => record.metrics.latency_ms_p50?.valid === false);
  const reasonOf = (/** @type {Entry} */ { record }) => record.metrics.latency_ms_p50.reason ?? 'not valid';
  if (!out.length) return '';
  if (entries.length === 1) return `⊘ These latencies do not count: ${reasonOf(out[0])}.`;
  return `⊘ These do not count: ${out.map((entry) => `${valuesText(entry.record) || entry.case} (${reasonOf(entry)})`).join('; ')}.`;
}
