import { formatNumber } from '../model/format.js';

/**
 * The line that a spec asks for beside the measured ones: a value of y, or where x and y are equal.
 * @typedef {{ diagonal: Record<string, any>[], rules: Record<string, any>[], key: import('./chart.js').Key[] }} Guide
 */

/**
 * @param {{ guide?: 'x=y' | number, guide_title?: string }} wish
 * @param {import('../model/format.js').Print} print of y: a guide is in the unit of records
 * @param {number[]} [places] the numbers of x, where x has any
 * @returns {Guide}
 */
export function guideOf({ guide, guide_title: title }, print, places = []) {
  if (guide === undefined) return { diagonal: [], rules: [], key: [] };
  if (guide === 'x=y') {
    const ends = [Math.min(...places), Math.max(...places)];
    const diagonal = places.length > 1 ? [{ x: ends, y: ends.map((x) => x * print.factor) }] : [];
    return { diagonal, rules: [], key: diagonal.length ? [{ slot: 'guide', text: title ?? 'x = y' }] : [] };
  }
  const value = guide * print.factor;
  const text = title ?? [formatNumber(value), print.unit].filter(Boolean).join(' ');
  return { diagonal: [], rules: [{ value: [value], guide: [text] }], key: [{ slot: 'guide', text }] };
}
