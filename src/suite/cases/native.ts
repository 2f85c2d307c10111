import type { Case } from './expand.js';
import { protocolOf } from './protocols.js';

/** Tags that the native player tells apart (k6/native/tally/metrics.go). */
const tags = ['scenario', 'phase', 'fault', 'side', 'name', 'expected_response', 'group', 'user'];

/** What Go's regular expressions do not have: looking ahead and behind, and back at what a group matched. */
const beyondGo = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</;

/**
 * Says what of a case the native player does not have.
 * @returns null: it can send its requests
 */
export function beyondNative({
  script,
  requests,
  thresholds,
}: Pick<Case, 'script' | 'requests' | 'thresholds'>): string | null {
  if (script !== null || !requests) return 'it is a script';
  const protocol = requests.map(({ method }) => protocolOf(method)).find((candidate) => candidate !== 'http');
  if (protocol !== undefined) return `it speaks ${protocol === 'grpc' ? 'gRPC' : 'WebSockets'}`;
  const pattern = patternsOf(requests).find((text) => beyondGo.test(text));
  if (pattern !== undefined) return `the pattern ${pattern} looks ahead, behind or back`;
  const tag = thresholds
    .filter(({ source }) => source === 'k6')
    .flatMap(({ selector }) => Object.keys(selector))
    .find((name) => !tags.includes(name));
  return tag === undefined ? null : `a threshold asks for the tag "${tag}"`;
}

const patternsOf = (requests: NonNullable<Case['requests']>): string[] =>
  requests.flatMap(({ expect, capture }) => [
    ...(typeof expect.body === 'object' && expect.body !== null ? [expect.body.matches] : []),
    ...Object.values(expect.headers).flatMap((header) => (header?.matches === undefined ? [] : [header.matches])),
    ...Object.values(capture).flatMap(({ regex }) => (regex === undefined ? [] : [regex])),
  ]);
