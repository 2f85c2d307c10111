import { digestOf, listed, switched } from './difference.js';

/** @import { Request } from '../../../suite/cases/requests.js' */
/** @import { Difference } from './difference.js' */

/**
 * Lists how head's requests differ from base's: which there are, what is sent, and what is expected of the answers.
 * @param {readonly Request[]} base
 * @param {readonly Request[]} head
 * @returns {Difference[]}
 */
export function requestDifferences(base, head) {
  const [from, to] = [byName(base), byName(head)];
  const both = [...from.keys()].filter((name) => to.has(name));
  return [
    ...listed('request', [...from.keys()], [...to.keys()]).map(diluting),
    ...sequenceDifference(both, base, head),
    ...both.flatMap((name) => {
      const [was, other] = [from.get(name) ?? [], to.get(name) ?? []];
      return [
        ...shareDifference(name, shareOf(was, base), shareOf(other, head)),
        ...was.flatMap((request, i) => (other[i] === undefined ? [] : sentDifferences(name, request, other[i]))),
      ];
    }),
  ];
}

/**
 * What is judged of all requests together hides more of one where there are others beside it.
 * @param {Difference} difference
 * @returns {Difference}
 */
const diluting = (difference) => ({ ...difference, looser: true });

/**
 * A list before what is created is a shorter one than after it. Of a mix the order says nothing.
 * @param {readonly string[]} both names that base and head have
 * @param {readonly Request[]} base
 * @param {readonly Request[]} head
 * @returns {Difference[]}
 */
function sequenceDifference(both, base, head) {
  if (head.some(({ weight }) => weight !== null)) return [];
  const text = (/** @type {readonly Request[]} */ requests) =>
    requests
      .map(({ name }) => name)
      .filter((name) => both.includes(name))
      .join(', ');
  return switched('sequence of requests', text(base), text(head), true);
}

/** @param {readonly Request[]} requests several may have one name */
function byName(requests) {
  /** @type {Map<string, Request[]>} */
  const found = new Map();
  for (const request of requests) found.set(request.name, [...(found.get(request.name) ?? []), request]);
  return found;
}

/** @param {readonly Request[]} some @param {readonly Request[]} all @returns {number} of an iteration's or the mix's requests */
function shareOf(some, all) {
  const weight = (/** @type {readonly Request[]} */ list) =>
    list.reduce((sum, request) => sum + (request.weight ?? 0), 0);
  return all.every((request) => request.weight === null) ? some.length : weight(some) / weight(all);
}

/** @param {string} name @param {number} base @param {number} head @returns {Difference[]} */
function shareDifference(name, base, head) {
  if (Math.abs(base - head) < 1e-9) return [];
  const text = (/** @type {number} */ share) =>
    share < 1 ? `${Math.round(share * 1000) / 10} %` : `${share} of an iteration`;
  // One that is sent twice an iteration may be another the second time.
  return [
    { subject: `share of request ${name}`, base: text(base), head: text(head), looser: head < base || base >= 1 },
  ];
}

/** @param {string} name @param {Request} base @param {Request} head @returns {Difference[]} */
function sentDifferences(name, base, head) {
  const sent = (/** @type {Request} */ { name: _, weight, expect, ...rest }) => JSON.stringify(rest);
  const digest = (/** @type {Request} */ request) => digestOf(sent(request));
  const [from, to] = [base, head].map((request) => `${request.method} ${request.path}`);
  const isSame = digest(base) === digest(head);
  return [
    ...(isSame
      ? []
      : [
          {
            subject: `request ${name}`,
            base: `${from} (${digest(base)})`,
            head: `${from === to ? 'sent in another way' : to} (${digest(head)})`,
            looser: true, // what base sends is not measured any more, and whether this is as much is unknown
          },
        ]),
    ...expectDifferences(name, base.expect, head.expect),
  ];
}

/** @param {string} name @param {Request['expect']} base @param {Request['expect']} head @returns {Difference[]} */
function expectDifferences(name, base, head) {
  if (JSON.stringify(base) === JSON.stringify(head)) return [];
  return [
    {
      subject: `expectation of request ${name}`,
      base: textOf(base),
      head: textOf(head),
      looser: !holdsAll(base, head),
    },
  ];
}

/** Whatever meets head's meets base's. @param {Request['expect']} base @param {Request['expect']} head */
function holdsAll(base, head) {
  const statuses = (/** @type {Request['expect']} */ { status }) => status ?? null;
  const [wide, narrow] = [statuses(base), statuses(head)];
  const within =
    wide === null
      ? (narrow ?? []).every((status) => status >= 200 && status < 400)
      : narrow?.every((status) => wide.includes(status));
  const kept = (/** @type {Record<string, unknown>} */ was, /** @type {Record<string, unknown>} */ other) =>
    Object.entries(was).every(([key, value]) => JSON.stringify(other[key]) === JSON.stringify(value));
  const body = base.body === null || JSON.stringify(base.body) === JSON.stringify(head.body);
  return within && body && kept(base.headers, head.headers) && kept(base.json, head.json);
}

/** @param {Request['expect']} expect */
function textOf({ status, headers, body, json }) {
  const parts = [
    `status ${status === null ? '200 to 399' : status.join(', ')}`,
    ...Object.keys(headers).map((name) => `header ${name}`),
    ...(body === null ? [] : ['body']),
    ...Object.keys(json).map((path) => `json ${path}`),
  ];
  const values = { headers, body, json };
  const isTold = Object.keys(headers).length === 0 && body === null && Object.keys(json).length === 0;
  return parts.join(', ') + (isTold ? '' : ` (${digestOf(JSON.stringify(values))})`);
}
