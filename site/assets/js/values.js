import { formatCount } from './format.js';

/**
 * The name of a case within its scenario.
 * @param {{ values: Record<string, unknown> }} record
 * @returns {string} '' when nothing is swept
 */
export const valuesText = ({ values }) =>
  Object.entries(values)
    .map(([key, value]) => `${key} ${valueText(value)}`)
    .join(', ');

/** @param {unknown} value of a swept parameter */
export const valueText = (value) => (Number.isInteger(value) ? formatCount(Number(value)) : String(value));
