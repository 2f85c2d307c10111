import { createHash } from 'node:crypto';

/** Between what base's and head's benchmark measure and expect. */
export type Difference = {
  /** what it is about: "threshold http_req_duration p(95)" */
  subject: string;
  /** what base has: "< 50" */
  base: string;
  /** what head has */
  head: string;
  /** head measures or expects less, or that it does not cannot be shown */
  looser: boolean;
};

/**
 * Tells that a value is another.
 * @param looser if they differ
 */
export const switched = (subject: string, base: unknown, head: unknown, looser: boolean): Difference[] =>
  String(base) === String(head) ? [] : [{ subject, base: String(base), head: String(head), looser }];

/** Tells which things are there on one side alone: a thing that base alone has is not measured any more. */
export const listed = (kind: string, base: readonly string[], head: readonly string[]): Difference[] => [
  ...base
    .filter((name) => !head.includes(name))
    .map((name) => ({ subject: `${kind} ${name}`, base: 'there', head: 'gone', looser: true })),
  ...head
    .filter((name) => !base.includes(name))
    .map((name) => ({ subject: `${kind} ${name}`, base: 'not there', head: 'new', looser: false })),
];

/**
 * What stands for a text that is too long to be shown: two texts of one digest are the same.
 * @returns 12 hex digits
 */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
