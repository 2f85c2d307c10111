import { createHash } from 'node:crypto';

/**
 * @typedef {object} Difference between what base's and head's benchmark measure and expect
 * @property {string} subject what it is about: "threshold http_req_duration p(95)"
 * @property {string} base what base has: "< 50"
 * @property {string} head what head has
 * @property {boolean} looser head measures or expects less, or that it does not cannot be shown
 */

/**
 * Tells that a value is another.
 * @param {string} subject
 * @param {unknown} base
 * @param {unknown} head
 * @param {boolean} looser if they differ
 * @returns {Difference[]}
 */
export const switched = (subject, base, head, looser) =>
  String(base) === String(head) ? [] : [{ subject, base: String(base), head: String(head), looser }];

/**
 * Tells which things are there on one side alone: what base alone has is not measured any more.
 * @param {string} kind
 * @param {readonly string[]} base
 * @param {readonly string[]} head
 * @returns {Difference[]}
 */
export const listed = (kind, base, head) => [
  ...base
    .filter((name) => !head.includes(name))
    .map((name) => ({ subject: `${kind} ${name}`, base: 'there', head: 'gone', looser: true })),
  ...head
    .filter((name) => !base.includes(name))
    .map((name) => ({ subject: `${kind} ${name}`, base: 'not there', head: 'new', looser: false })),
];

/**
 * What stands for a text that is too long to be shown: two texts of one digest are the same.
 * @param {string} text
 * @returns {string} 12 hex digits
 */
export const digestOf = (text) => createHash('sha256').update(text).digest('hex').slice(0, 12);
