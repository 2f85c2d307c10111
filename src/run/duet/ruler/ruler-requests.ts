import type { Request } from '../../../suite/cases/requests.js';
import { type Difference, digestOf, listed, switched } from './difference.js';

/** Lists how head's requests differ from base's: which there are, what is sent, and what is expected of the answers. */
export function requestDifferences(base: readonly Request[], head: readonly Request[]): Difference[] {
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

/** What is judged of all requests together hides more of one where there are others beside it. */
const diluting = (difference: Difference): Difference => ({ ...difference, looser: true });

/**
 * A list before what is created is a shorter one than after it. Of a mix the order says nothing.
 * @param both names that base and head have
 */
function sequenceDifference(both: readonly string[], base: readonly Request[], head: readonly Request[]): Difference[] {
  if (head.some(({ weight }) => weight !== null)) return [];
  const text = (requests: readonly Request[]) =>
    requests
      .map(({ name }) => name)
      .filter((name) => both.includes(name))
      .join(', ');
  return switched('sequence of requests', text(base), text(head), true);
}

/** @param requests several may have one name */
function byName(requests: readonly Request[]) {
  const found: Map<string, Request[]> = new Map();
  for (const request of requests) found.set(request.name, [...(found.get(request.name) ?? []), request]);
  return found;
}

/** @returns of an iteration's or the mix's requests */
function shareOf(some: readonly Request[], all: readonly Request[]): number {
  const weight = (list: readonly Request[]) => list.reduce((sum, request) => sum + (request.weight ?? 0), 0);
  return all.every((request) => request.weight === null) ? some.length : weight(some) / weight(all);
}

function shareDifference(name: string, base: number, head: number): Difference[] {
  if (Math.abs(base - head) < 1e-9) return [];
  const text = (share: number) => (share < 1 ? `${Math.round(share * 1000) / 10} %` : `${share} of an iteration`);
  // One that is sent twice an iteration may be another the second time.
  return [
    { subject: `share of request ${name}`, base: text(base), head: text(head), looser: head < base || base >= 1 },
  ];
}

function sentDifferences(name: string, base: Request, head: Request): Difference[] {
  const sent = ({ name: _, weight, expect, ...rest }: Request) => JSON.stringify(rest);
  const digest = (request: Request) => digestOf(sent(request));
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
            looser: true, // base's requests are not measured any more, and nobody knows whether head's are as many
          },
        ]),
    ...expectDifferences(name, base.expect, head.expect),
  ];
}

function expectDifferences(name: string, base: Request['expect'], head: Request['expect']): Difference[] {
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

/** Whatever meets head's meets base's. */
function holdsAll(base: Request['expect'], head: Request['expect']) {
  const statuses = ({ status }: Request['expect']) => status ?? null;
  const [wide, narrow] = [statuses(base), statuses(head)];
  const within =
    wide === null
      ? (narrow ?? []).every((status) => status >= 200 && status < 400)
      : narrow?.every((status) => wide.includes(status));
  const kept = (was: Record<string, unknown>, other: Record<string, unknown>) =>
    Object.entries(was).every(([key, value]) => JSON.stringify(other[key]) === JSON.stringify(value));
  const body = base.body === null || JSON.stringify(base.body) === JSON.stringify(head.body);
  return within && body && kept(base.headers, head.headers) && kept(base.json, head.json);
}

function textOf({ status, headers, body, json }: Request['expect']) {
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
