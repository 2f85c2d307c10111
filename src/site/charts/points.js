import { rounded } from './chart.js';

/**
 * A metric's value with the lowest and highest of its rounds, as printed; value and range are text.
 * @typedef {{ y: number, low: number, high: number, value: string, range: string }} Extent
 */

/**
 * @param {import('../../../reports/schema/types.d.ts').Metric} metric with a value
 * @param {import('../../format.js').Print} print
 * @returns {Extent}
 */
export function extentOf({ value, samples }, print) {
  const all = [value, ...samples].filter((one) => one !== null).map((one) => one * print.factor);
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
 * @param {Record<string, any>[]} points
 * @returns {Record<string, any[]>}
 */
export const columnsOf = (points) =>
  Object.fromEntries(Object.keys(points[0]).map((key) => [key, points.map((point) => point[key])]));

/** Only what counts is drawn. @param {import('../../../reports/schema/types.d.ts').Metric | undefined} metric */
export const isDrawable = (metric) => metric?.valid === true && metric.value !== null;
