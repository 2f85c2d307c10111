import { attempt } from './attempt.js';
import { parseDuration } from './durations.js';
import type { Path, Report } from './error.js';
import { refuseHosts } from './hosts.js';
import { isUnfilled, placeholdersOf } from './placeholders.js';
import { type Request, readRequests, verbs } from './requests.js';
import type { TomlTable } from './toml.js';

type Captures = Request['capture'];

/** Between ready and load: a command or a request */
type Step = {
  name: string;
  command: string[] | null;
  /** relative to the spec's folder */
  cwd: string;
  env: Record<string, string>;
  /** in whose container the command runs; null: on this machine */
  service: string | null;
  /** status null: 200 to 399 */
  request: (Pick<Request, 'method' | 'path' | 'query' | 'headers' | 'body'> & { status: number[] | null }) | null;
  capture: Captures;
  /** what it captures is not to be written down */
  secret: boolean;
  timeout: string;
  /** a run: what it does stays in the folders that starts share */
  once: boolean;
};

/** what only one kind of step has */
const keysOf: Record<'command' | 'request', string[]> = {
  command: ['cwd', 'env', 'service'],
  request: ['query', 'headers', 'body', 'status'],
};

/** Where each kind can find what it captures. */
const placesOf: Record<'command' | 'request', string[]> = {
  command: ['json', 'regex'],
  request: ['json', 'regex', 'header', 'cookie'],
};

/**
 * Reads the steps of an environment.
 * @param written parameters and swept values are in
 * @param around url, hosts: where requests may go; services: in whose containers commands may run
 */
export function readAfterReady(
  written: TomlTable[],
  { url, hosts, services }: { url: string; hosts: string[]; services: readonly { name: string; container: unknown }[] },
  path: Path,
  report: Report,
): Step[] {
  const captured: string[] = [];
  return written.map((step, i) => {
    const at = [...path, i];
    const { name, command, cwd = '.', env = {}, service = null, capture = {}, secret = true } = step;
    const { timeout = '60s', once = false } = step;
    if (service !== null) refuseProcess(service, services, [...at, 'service'], report);
    refuseReady(step, captured, at, report);
    refuseOthers(step, command ? 'command' : 'request', at, report);
    for (const key of Object.keys(capture)) {
      if (captured.includes(key)) report([...at, 'capture', key], `"${key}" is captured twice`, 'Rename one.', 'key');
      captured.push(key);
    }
    attempt(() => parseDuration(timeout), [...at, 'timeout'], report);
    return {
      name,
      command: command?.map(String) ?? null,
      cwd,
      env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])),
      service,
      request: command ? null : readRequest(step, { baseUrl: url, hosts }, path, i, report),
      capture,
      secret,
      timeout,
      once,
    };
  });
}

function refuseProcess(
  name: string,
  services: readonly { name: string; container: unknown }[],
  path: Path,
  report: Report,
) {
  const known = services.filter(({ container }) => container !== null).map((service) => service.name);
  if (!known.includes(name)) report(path, `no service "${name}" runs in a container`, { got: name, known });
}

function readRequest(
  step: TomlTable,
  target: { baseUrl: string; hosts: string[] },
  path: Path,
  i: number,
  report: Report,
): Step['request'] {
  const verb = verbs.find((key) => key in step) ?? 'get';
  const { [verb]: to = '/', query, headers, body, status, capture } = step;
  const given = Object.entries({ [verb]: to, query, headers, body, capture, expect: status && { status } });
  const written = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  // of a list of one: an error has a place of its own
  const here = (at: Path) => {
    const rest = at.slice(path.length + 1);
    return [...path, i, ...(rest[0] === 'expect' ? rest.slice(1) : rest)];
  };
  const [request] = refuseHosts(
    readRequests([written], [written], path, (at, ...more) => report(here(at), ...more)),
    target,
    path,
    (at, ...more) => report(here(at), ...more),
  );
  if (!request) return null;
  const { method, path: address, expect } = request;
  if (request.body?.file !== undefined || request.body?.bytes !== undefined) {
    report([...path, i, 'body'], 'the body of a step is text, json or form', 'Run a command that sends the file.');
  }
  return {
    method,
    path: address,
    query: request.query,
    headers: request.headers,
    body: request.body,
    status: expect.status,
  };
}

/** `${ready.x}` in a step is of one before it. */
export function refuseReady(step: unknown, captured: readonly string[], path: Path, report: Report) {
  for (const { name, path: at } of placeholdersOf(step, path)) {
    const captureName = /^ready\.(.+)$/s.exec(name)?.[1];
    if (captureName === undefined || captured.includes(captureName)) continue;
    report(
      at,
      `no step before it captures "${captureName}"`,
      { got: captureName, known: [...captured] },
      { part: `\${${name}}` },
    );
  }
}

function refuseOthers(step: TomlTable, kind: 'command' | 'request', path: Path, report: Report) {
  const other = kind === 'command' ? 'request' : 'command';
  for (const key of keysOf[other].filter((name) => name in step)) {
    report([...path, key], `a ${kind} has no "${key}"`, `It belongs to a ${other}.`, 'key');
  }
  for (const [name, from] of Object.entries<TomlTable>(step.capture ?? {})) {
    const source = Object.keys(from)[0];
    const at = [...path, 'capture', name];
    if (source === undefined)
      report(at, `"${name}" is captured from nowhere`, 'Write { json = "id" } or { regex = "…" }.');
    else if (!placesOf[kind].includes(source)) {
      report([...at, source], `a command prints no ${source}`, 'Take json or regex: of its standard output.', 'key');
    } else if (source === 'json' && !isUnfilled(from.json) && /[#*?|@!{}[\]()]/.test(from.json)) {
      report(
        [...at, 'json'],
        `"${from.json}" is more than a path`,
        'Here it is names and numbers, with dots between: "items.0.id".',
      );
    }
  }
}

/** The names that requests may use as `${ready.<name>}`. */
export const readyNames = (steps: readonly Step[]): string[] => steps.flatMap(({ capture }) => Object.keys(capture));
