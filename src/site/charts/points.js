import { rounded } from './chart.js';

/** @import { Metric } from '../../../reports/schema/types.d.ts' */
/** @import { Print } from '../../base/format.js' */

/**
 * A metric's value with the lowest and highest of its rounds, as printed; value and range are text.
 * @typedef {{ y: number, low: number, high: number, value: string, range: string }} Extent
 */

/**
 * @param {Metric} metric with a value
 * @param {Print} print
 * @returns {Extent}
 */
export function extentOf({ value, samples }, print) {
  const all = [value, ...samples].filter((sample) => sample !== null).map((sample) => sample * print.factor);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const y = /** @type {number} */ (value) * print.factor;
  return {
    y: number(y),
    low: number(low),
    high: number(high),
    value: print.format(y),
    range: low === high ? '–' : `${print.format(low)} to ${print.format(high)}`,
  };
}

/** @param {number} value */
const number = (value) => /** @type {number} */ (rounded(value));

/**
 * Points as a column set of a dataset.
 * @param {Record<string, unknown>[]} points
 * @returns {Record<string, unknown[]>}
 */
export const columnsOf = (points) =>
  Object.fromEntries(Object.keys(points[0]).map((key) => [key, points.map((point) => point[key])]));

/** Only what counts is drawn. @param {Metric | undefined} metric */
export const isDrawable = (metric) => metric?.valid === true && metric.value !== null;
