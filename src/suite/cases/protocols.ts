import type { Path, Report } from './error.js';
import { isUnfilled, placeholdersOf } from './placeholders.js';
import type { TomlTable } from './toml.js';

/** Requests that are not HTTP: a call of gRPC, and a session of WebSockets. */
export type Protocol = 'http' | 'grpc' | 'websocket';

/** proto: files in the spec's folder; body: the message */
type CallKeys = { proto: string[]; body: { json: TomlTable } };

/** receive: how many messages are awaited for each that is sent */
type SessionKeys = { send: string[]; receive: number };

/** By the key that has the address. */
export const protocols: readonly Exclude<Protocol, 'http'>[] = ['grpc', 'websocket'];

/** The keys that only requests of one protocol have, and those that they cannot have. */
const keys = {
  http: { own: ['query', 'body', 'redirects'], needed: [] },
  grpc: { own: ['proto', 'message'], needed: ['proto'] },
  websocket: { own: ['query', 'send', 'receive'], needed: [] },
};

const titles = { http: 'a request of HTTP', grpc: 'a call of gRPC', websocket: 'a session of WebSockets' };

/** @param verb the key that has the address */
export const protocolOf = (verb: string): Protocol => protocols.find((known) => known === verb.toLowerCase()) ?? 'http';

/**
 * Reads what a request has beside those of HTTP, and refuses what its protocol does not have.
 * @param verb the key that has the address
 * @returns {}: of HTTP
 */
export function readProtocol(
  written: TomlTable,
  verb: string,
  path: Path,
  report: Report,
): CallKeys | SessionKeys | object {
  const protocol = protocolOf(verb);
  for (const key of Object.values(keys).flatMap(({ own }) => own)) {
    if (!(key in written) || keys[protocol].own.includes(key)) continue;
    report([...path, key], `${titles[protocol]} has no "${key}"`, undefined, 'key');
  }
  for (const key of keys[protocol].needed) {
    if (!(key in written))
      report(path, `${titles[protocol]} needs "${key}"`, 'proto = "shop.proto": the file that describes it.');
  }
  for (const [name, { cookie }] of Object.entries<TomlTable>(protocol === 'http' ? {} : (written.capture ?? {}))) {
    if (cookie !== undefined)
      report([...path, 'capture', name, 'cookie'], `${titles[protocol]} brings no cookies`, undefined, 'key');
  }
  if (protocol === 'grpc') return readCall(written, path, report);
  if (protocol === 'websocket') return { send: [written.send ?? []].flat().map(textOf), receive: written.receive ?? 1 };
  return {};
}

function readCall({ grpc, proto = [], message = {} }: TomlTable, path: Path, report: Report): CallKeys {
  const method = String(grpc).replace(/^https?:\/\/[^/]*/i, '');
  if (placeholdersOf(grpc).length > 0) {
    report([...path, 'grpc'], 'the method of a call is the same each time', 'Give each method its own [[…requests]].');
  } else if (!/^\/[\w.]+\/\w+$/.test(method)) {
    report([...path, 'grpc'], `"${grpc}" is not a method of gRPC like "/shop.Orders/List": /package.Service/Method`);
  }
  return { proto: [proto].flat(), body: { json: message } };
}

/** A table is sent as JSON. */
const textOf = (message: unknown) => (typeof message === 'string' ? message : JSON.stringify(message));

/**
 * What is measured of a scenario is of one kind: a request, a call or a session.
 * @param verbs of its requests
 */
export function refuseMixed(verbs: readonly string[], path: Path, report: Report) {
  const first = protocolOf(verbs[0] ?? 'get');
  const other = verbs.findIndex((verb) => protocolOf(verb) !== first);
  if (other < 0) return;
  report(
    [...path, other],
    `the scenario has ${titles[first]} and ${titles[protocolOf(verbs[other])]}: its latency would be of neither`,
    'Give each kind its own scenario. A login by HTTP can be a step of after_ready.',
  );
}

/** Which statuses can be expected. k6 has a connection that is refused as one without a status. */
const statuses = {
  http: { low: 100, high: 599, named: 'an HTTP status from 100 to 599' },
  grpc: { low: 0, high: 16, named: 'a status of gRPC from 0 (OK) to 16' },
  websocket: { low: 101, high: 101, named: 'the status of a WebSocket, 101' },
};

/** @returns what it is not; null: it can be expected */
export function notStatus(protocol: Protocol, code: unknown): string | null {
  const { low, high, named } = statuses[protocol];
  const isOne = Number.isInteger(code) && Number(code) >= low && Number(code) <= high;
  return isOne || isUnfilled(code) ? null : named;
}
