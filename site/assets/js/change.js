import { formatChange, formatPoints } from './format.js';

/**
 * A number of a record, or as much of one as it takes.
 * @typedef {{ unit: string, value: number | null, valid: boolean, reason?: string | null }} Counted
 */

/**
 * How much a number changes from one record to another: in percent, shares in points.
 * @param {Counted | null | undefined} base
 * @param {Counted | null | undefined} head
 * @returns {{ text: string, why: string }} text: '' when it cannot be said; why: then, why not
 */
export function changeOf(base, head) {
  if (!base || !head || base.value === null || head.value === null) return { text: '', why: 'one is missing' };
  if (!base.valid || !head.valid) return { text: '', why: 'one of them does not count' };
  if (base.unit !== head.unit) return { text: '', why: 'not of one unit' };
  if (base.unit === 'ratio') return { text: formatPoints(head.value - base.value), why: '' };
  if (base.value === 0) return { text: '', why: 'it was zero' };
  return { text: formatChange(head.value / base.value), why: '' };
}
