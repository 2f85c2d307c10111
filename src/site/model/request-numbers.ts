import type { Metric } from '../../../reports/schema/types.d.ts';
import type { Entry } from '../collect/collect-record.js';

/** What a record has of a request or a group: its metrics, and how many there were. */
export const numbersOf = ({
  count = null,
  share = null,
  weight = null,
  metrics,
}: {
  count?: number | null;
  share?: number | null;
  weight?: number | null;
  metrics: Record<string, Metric>;
}): Record<string, Metric> => ({
  ...metrics,
  count: counted('1', count),
  share: counted('ratio', share),
  weight: counted('1', weight),
});

const counted = (unit: string, value: number | null): Metric => ({
  unit,
  direction: null,
  value,
  samples: [],
  count: null,
  valid: value !== null,
  reason: value === null ? 'not counted' : null,
});

/** Each request of the cases as a case of its own, whose numbers are the request's and which says so by a value. */
export const requestsApart = (entries: Entry[]): Entry[] =>
  entries.flatMap((entry) =>
    Object.entries(entry.record.requests).map(([request, part]) => ({
      ...entry,
      record: { ...entry.record, values: { ...entry.record.values, request }, metrics: numbersOf(part) },
    })),
  );
