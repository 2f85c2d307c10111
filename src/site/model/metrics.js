import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesFrom } from '../../../site/assets/js/metric-names.js';
import { parseToml } from '../../spec/toml.js';

/**
 * @typedef {import('../../../site/assets/js/metric-names.js').MetricNames} MetricNames
 * @typedef {import('../../../site/assets/js/metric-names.js').Group} Group
 */

/**
 * @param {string[]} folders site folders, the first that has the file wins
 * @returns {MetricNames}
 */
export function readMetricNames(folders) {
  const file = folders.map((folder) => join(folder, 'data', 'metrics.toml')).find(existsSync);
  return namesFrom(file ? parseToml(readFileSync(file, 'utf8')) : {});
}

/**
 * A metric's name and unit, for a heading or an axis.
 * @param {MetricNames} names
 * @param {string} name
 * @param {string} unit as numbers are printed in, '' for none
 * @returns {string} latency p95, ms
 */
export const headingOf = (names, name, unit) => [names.titleOf(name), unit].filter(Boolean).join(', ');
