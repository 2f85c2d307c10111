/** @import { Metric } from '../../../reports/schema/types.d.ts' */
/** @import { Entry } from '../collect/collect-record.js' */

/**
 * What a record has of a request or a group: its metrics, and how many there were.
 * @param {{ count?: number | null, share?: number | null, weight?: number | null, metrics: Record<string, Metric> }} part
 * @returns {Record<string, Metric>}
 */
export const numbersOf = ({ count = null, share = null, weight = null, metrics }) => ({
  ...metrics,
  count: counted('1', count),
  share: counted('ratio', share),
  weight: counted('1', weight),
});

/** @param {string} unit @param {number | null} value @returns {Metric} */
const counted = (unit, value) => ({
  unit,
  direction: null,
  value,
  samples: [],
  count: null,
  valid: value !== null,
  reason: value === null ? 'not counted' : null,
});

/**
 * Each request of the cases as a case of its own, whose numbers are the request's and which says so by a value.
 * @param {Entry[]} entries
 * @returns {Entry[]}
 */
export const requestsApart = (entries) =>
  entries.flatMap((entry) =>
    Object.entries(entry.record.requests).map(([request, part]) => ({
      ...entry,
      record: { ...entry.record, values: { ...entry.record.values, request }, metrics: numbersOf(part) },
    })),
  );
