import { readJson } from './read-json.js';

/**
 * The metrics that our driver adds to those of k6, by our word for each. scope: what a sample is of; a request has a
 * side in a duet.
 * @type {typeof import('../../reports/lib/driver_metrics.json', { with: { type: 'json' } })}
 */
export const driverMetrics = readJson(import.meta.resolve('../../reports/lib/driver_metrics.json'));
