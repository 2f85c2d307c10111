import { thresholdRow as rowOf } from '../../../site/assets/js/threshold-row.js';
import { k6Metrics } from '../../spec/metrics.js';

/**
 * A threshold as a page shows it: what was expected, what was seen.
 * @param {import('../../../reports/schema/types.d.ts').Threshold} threshold
 * @param {Record<string, { unit: string }>} metrics of the record: some thresholds are on one of them
 */
export const thresholdRow = (threshold, metrics) => rowOf(threshold, metrics, k6Metrics);
