import { attempt } from './attempt.js';
import { parseBytes } from './bytes.js';
import { parseDuration } from './durations.js';
import type { Path, Report } from './error.js';
import { isUnfilled, placeholdersOf } from './placeholders.js';
import { notStatus, type Protocol, protocolOf, protocols, readProtocol, refuseMixed } from './protocols.js';
import { withoutRanges } from './random.js';
import type { TomlTable } from './toml.js';

export type Request = {
  /** upper case; GRPC and WEBSOCKET where it is not HTTP */
  method: string;
  /** or an absolute http(s) URL */
  path: string;
  /** k6's `name` tag; placeholders in it stay as written, so that it is the same in every case */
  name: string;
  /** requests that are timed as one; as written, like the name */
  group: string | null;
  weight: number | null;
  query: TomlTable;
  headers: TomlTable;
  /** one of text, json, form, file, bytes (a number); and type */
  body: TomlTable | null;
  think: string | { mean: string; deviation: string; distribution: 'uniform' | 'normal' } | null;
  /** status null: 200 to 399 */
  expect: { status: number[] | null; headers: TomlTable; body: string | { matches: string } | null; json: TomlTable };
  on_error: 'continue' | 'abandon';
  capture: Record<string, { json?: string; regex?: string; header?: string; cookie?: string }>;
  timeout: string;
  redirects: number;
  /**
   * sent in a user's first iteration, before the others; not there otherwise, so that definitions without stay what they were
   */
  once_per_user?: true;
  /** of a call of gRPC, whose message is the body: files in the spec's folder */
  proto?: string[];
  /** of a session of WebSockets: its messages */
  send?: string[];
  /** how many messages are awaited for each of them */
  receive?: number;
};

export const verbs = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/** The keys that have a request's address. */
export const addresses = [...verbs, ...protocols];

/** An iteration sends all requests one after the other, or one of them by weight. */
export const orderOf = (requests: { weight?: number | null }[]): 'sequence' | 'weighted' =>
  requests.some(({ weight }) => typeof weight === 'number') ? 'weighted' : 'sequence';

/**
 * Fills the defaults of a scenario's requests, and refuses what cannot be sent.
 * @param written parameters and swept values are in
 * @param source as in the spec: names and row columns are read off it
 */
export function readRequests(written: TomlTable[], source: TomlTable[], path: Path, report: Report): Request[] {
  const requests = written.flatMap((request, i) => {
    const read = readRequest(request, source[i], [...path, i], report);
    return read ? [read] : [];
  });
  if (requests.length === written.length) {
    refuseWeights(requests, path, report);
    refuseLate(requests, path, report);
    refuseMixed(
      requests.map(({ method }) => method),
      path,
      report,
    );
  }
  return requests;
}

function readRequest(written: TomlTable, source: TomlTable, path: Path, report: Report): Request | null {
  const verb = addresses.find((key) => key in written);
  if (!verb) return null; // the caller's schema, or plain k6's user, gets the error of refuseVerbs
  const { weight = null, query = {}, headers = {}, think, expect = {}, capture = {}, once_per_user = false } = written;
  // a user who could not log in does not go on
  const { on_error = once_per_user ? 'abandon' : 'continue', timeout = '60s', redirects = 10 } = written;
  const name = nameOf(source);
  refuseTag('request', name, [...path, 'name' in source ? 'name' : verb], report);
  if (!/^(\/|https?:\/\/|\$\{)/.test(written[verb])) {
    report([...path, verb], `"${written[verb]}" is neither a path like "/" nor an http(s) URL`);
  }
  refuseDuration(timeout, [...path, 'timeout'], report);
  return {
    method: verb.toUpperCase(),
    path: written[verb],
    name,
    group: source.group ?? null,
    weight,
    query,
    headers,
    body: readBody(written.body, [...path, 'body'], report),
    think: readThink(think, [...path, 'think'], report),
    expect: readExpect(expect, protocolOf(verb), [...path, 'expect'], report),
    on_error,
    capture: readCapture(capture, [...path, 'capture'], report),
    timeout,
    redirects,
    ...(once_per_user && { once_per_user: true as const }),
    ...readProtocol(written, verb, path, report),
  };
}

/**
 * @param source a request as in the spec
 * @returns '' when it has no method, which is an error elsewhere
 */
export function nameOf(source: TomlTable): string {
  const verb = addresses.find((key) => key in source);
  return source.name ?? (verb ? `${verb.toUpperCase()} ${withoutRanges(source[verb]).replace(/\?.*$/, '')}` : '');
}

export function refuseVerbs(written: TomlTable[], path: Path, report: Report) {
  written.forEach((request, i) => {
    const used = addresses.filter((verb) => verb in request);
    if (used.length === 0) {
      report([...path, i], 'the request has no method', `Give it one of ${addresses.join(', ')}, with its path.`);
    } else if (used.length > 1) {
      report(
        [...path, i, used[1]],
        `the request has two methods, ${used[0]} and ${used[1]}`,
        'Each request has its own [[…requests]].',
        'key',
      );
    }
  });
}

/** k6 cuts a selector into tags at commas, and takes quotes off their ends. */
export function refuseTag(kind: 'request' | 'group', name: string, path: Path, report: Report) {
  if (name.includes(',')) {
    const hint = kind === 'request' ? 'Set `name` to one without.' : 'Take one without.';
    report(path, `the ${kind}'s name "${name}" has a comma, where k6 would cut it`, hint);
  } else if (/^["'\s]|["'\s]$/.test(name)) {
    report(path, `the ${kind}'s name ${JSON.stringify(name)} begins or ends with a quote or space, which k6 drops`);
  } else if (/\$\{(row|captured|random)\./.test(name) && path.at(-1) === 'name') {
    report(path, `the request's name "${name}" would differ from request to request`, 'k6 keeps every name in memory.');
  }
}

/** A user sends its once-only requests before those that it repeats. */
function refuseLate(requests: Request[], path: Path, report: Report) {
  const each = requests.findIndex(({ once_per_user }) => !once_per_user);
  const late = requests.findIndex(({ once_per_user }, i) => once_per_user && each >= 0 && i > each);
  if (late >= 0) {
    report(
      [...path, late, 'once_per_user'],
      `${requests[late].name} is sent once per user, and stands behind ${requests[each].name}, which is not`,
      'Put it first: it is sent before the others.',
      'key',
    );
  } else if (each < 0 && requests.length) {
    report(
      [...path, 0, 'once_per_user'],
      'every request is sent once per user, and nothing over and over',
      'Drop `once_per_user` from those that are to be measured.',
      'key',
    );
  }
}

function refuseWeights(requests: Request[], path: Path, report: Report) {
  if (orderOf(requests) === 'sequence') return;
  const first = requests.findIndex(({ weight, once_per_user }) => weight === null && !once_per_user);
  const once = requests.findIndex(({ weight, once_per_user }) => weight !== null && once_per_user);
  if (once >= 0) {
    report([...path, once, 'weight'], 'a request that is sent once per user has no weight', 'Drop it.', 'key');
  }
  if (first >= 0) {
    report(
      [...path, first],
      `${requests[first].name} has no weight, and others have one`,
      'Give all requests a weight (one of them is sent each time), or none (they are sent in order).',
    );
  }
  requests.forEach(({ weight, name }, i) => {
    if (weight !== null && !isUnfilled(weight) && !(typeof weight === 'number' && weight > 0)) {
      report([...path, i, 'weight'], `the weight must be a number above 0, and is ${JSON.stringify(weight)}`);
    }
    if (requests.findIndex((other) => other.name === name) < i) {
      report([...path, i], `two requests are named "${name}": their shares could not be told apart`, 'Set `name`.');
    }
  });
}

function readBody(body: TomlTable | undefined, path: Path, report: Report): TomlTable | null {
  if (body === undefined) return null;
  if (typeof body === 'string') return { text: body };
  if (body.bytes === undefined || isUnfilled(body.bytes)) return body;
  return { ...body, bytes: attempt(() => parseBytes(body.bytes), [...path, 'bytes'], report) ?? 0 };
}

function readThink(think: TomlTable | undefined, path: Path, report: Report): Request['think'] {
  if (think === undefined) return null;
  if (typeof think !== 'object') {
    refuseDuration(think, path, report);
    return think;
  }
  const { mean, deviation = '0s', distribution = 'uniform' } = think;
  refuseDuration(mean, [...path, 'mean'], report);
  refuseDuration(deviation, [...path, 'deviation'], report);
  return { mean, deviation, distribution };
}

/** The statuses that are expected by default: of HTTP 200 to 399. */
const usualStatus = { http: null, grpc: [0], websocket: [101] };

function readExpect(
  { status, headers = {}, body = null, json = {} }: TomlTable,
  protocol: Protocol,
  path: Path,
  report: Report,
): Request['expect'] {
  const statuses = status === undefined ? usualStatus[protocol] : [status].flat();
  statuses?.forEach((code, i) => {
    const named = notStatus(protocol, code);
    if (named === null) return;
    report([...path, 'status', ...(Array.isArray(status) ? [i] : [])], `${JSON.stringify(code)} is not ${named}`);
  });
  if (body?.matches !== undefined) refusePattern(body.matches, [...path, 'body', 'matches'], report);
  for (const [name, header] of Object.entries<TomlTable>(headers)) {
    if (header.matches !== undefined) refusePattern(header.matches, [...path, 'headers', name, 'matches'], report);
  }
  return { status: statuses, headers, body, json };
}

function readCapture(capture: Request['capture'], path: Path, report: Report) {
  for (const [name, { regex }] of Object.entries(capture)) {
    if (regex !== undefined) refusePattern(regex, [...path, name, 'regex'], report);
  }
  return capture;
}

/** A pattern with placeholders is only known when it runs. */
function refusePattern(pattern: string, path: Path, report: Report) {
  if (placeholdersOf(pattern).length) return;
  try {
    new RegExp(pattern);
  } catch (error) {
    report(path, (error as Error).message.replace(/^Invalid/, 'invalid'));
  }
}

const refuseDuration = (text: string | number, path: Path, report: Report) =>
  isUnfilled(text) || attempt(() => parseDuration(text), path, report);
