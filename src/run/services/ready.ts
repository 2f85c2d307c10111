import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Exit, type Running, showExit } from '../../base/process/command.js';
import { CaseFailure } from '../../base/process/failure.js';
import { portsOf, unknownListenerOn } from '../../base/process/port-owner.js';
import { showDuration } from '../../suite/cases/cases.js';
import { listeningIn, type RunningContainer } from './containers/start-container.js';

/** Milliseconds between two attempts: the first come quickly, for most services are up in a moment. */
const pauses = { first: 10, growth: 1.5, longest: 200 };

/** Milliseconds that one attempt may take. */
const attemptTimeout = 2000;

const noAnswer = 'no answer within';

/**
 * Waits until a service says that it is ready:
 * - `http://…`, `https://…`: any answer below 500. A service that is still starting says 502 or 503; a 404 or 401
 *   comes from one that is up. Redirects are not followed.
 * - `tcp://host:port`: a connection is accepted.
 * - `log:<regular expression>`: its output has a line that matches.
 * - `healthy`: the health check of its container's image says so.
 * - nothing: a container, when its health check says so or it listens on its port, where it has one; else as soon as it was
 *   started.
 *
 * A port of this machine that leads into a container takes connections before anybody listens inside: `tcp://` looks inside.
 * @param target shown: what to call `ready` in messages, where it holds a secret; title: what to call the service; giveUp:
 *   asked again and again, the error that ends the waiting
 * @throws {CaseFailure} it ended, or was not ready in time
 */
export async function untilReady(target: {
  ready: string | null;
  timeout_s: number;
  shown?: string;
  title?: string;
  service: Running | RunningContainer;
  giveUp?: () => Error | null;
}) {
  const { ready, timeout_s, shown = ready ?? '', service, giveUp = () => null } = target;
  const { title = `service "${service.name}"` } = target;
  const attempt = await attemptOf(ready, service);
  if (attempt === null) return;
  const deadline = performance.now() + timeout_s * 1000;
  let last = '';
  for (let pause = pauses.first; ; pause = Math.min(pause * pauses.growth, pauses.longest)) {
    const time = Math.max(1, Math.min(attemptTimeout, deadline - performance.now()));
    const answer = await Promise.race([attempt(time), service.exited.then(() => null)]);
    const reason = giveUp();
    if (reason) throw reason;
    if (service.exit) throw endedEarly(service, title, ready ?? '');
    if (answer === null) return;
    // the last attempt may have had a moment only: what those before it saw says more
    const cut = time < attemptTimeout && answer.startsWith(noAnswer);
    if (!cut || last === '') last = answer;
    if (performance.now() + pause > deadline)
      throw notReady(service, { title, shown, timeout_s, last, ready: ready ?? '' });
    await Promise.race([sleep(pause), service.exited]);
  }
}

/** Null: ready; else what came instead */
type Attempt = (timeout_ms: number) => Promise<string | null>;

/** @returns null: there is nothing to wait for */
async function attemptOf(ready: string | null, service: Running | RunningContainer): Promise<Attempt | null> {
  const container = 'container' in service ? service.container : null;
  if (container && (ready === 'healthy' || (ready === null && (await container.health()) !== null))) {
    return () => tryHealth(container);
  }
  if (container?.port && (ready === null || ready.startsWith('tcp:'))) return () => tryListening(container);
  if (ready === null) return null;
  if (ready === 'healthy')
    throw new CaseFailure(`service "${service.name}" is not a container: "healthy" is for those`);
  if (ready.startsWith('log:')) {
    const pattern = new RegExp(ready.slice('log:'.length), 'm');
    return async () => (pattern.test(service.log.text()) ? null : 'no line of its output matches');
  }
  const url = new URL(ready);
  return url.protocol === 'tcp:'
    ? (timeout) => tryConnection(url.hostname, Number(url.port), timeout)
    : (timeout) => tryRequest(url, timeout);
}

async function tryHealth(container: RunningContainer['container']): ReturnType<Attempt> {
  const health = await container.health();
  if (health === null) return 'its image has no health check';
  return health.status === 'healthy'
    ? null
    : `its health check says "${health.status}": ${health.last || 'nothing yet'}`;
}

async function tryListening(container: RunningContainer['container']): ReturnType<Attempt> {
  const { reached, loopback } = listeningIn(container);
  if (reached.includes(Number(container.port))) return null;
  if (loopback.includes(Number(container.port))) {
    return `the container listens only on 127.0.0.1:${container.port}, which is unreachable from outside: bind to 0.0.0.0`;
  }
  const others = reached.length > 0 ? `only on ${reached.join(', ')}` : 'nowhere';
  return `the container listens ${others}, not on port ${container.port}`;
}

/** @param timeout milliseconds */
function tryRequest(url: URL, timeout: number): Promise<string | null> {
  const { get } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve) => {
    // A service under test often has a certificate of its own making; whom it belongs to is not asked here.
    const request = get(url, { agent: false, timeout, rejectUnauthorized: false }, (response) => {
      response.destroy();
      resolve((response.statusCode ?? 500) < 500 ? null : `it answers ${response.statusCode}`);
    });
    request.on('timeout', () => request.destroy(new Error(`${noAnswer} ${showDuration(timeout / 1000)}`)));
    request.on('error', (error) => resolve(messageOf(error)));
  });
}

/** @param timeout milliseconds */
function tryConnection(host: string, port: number, timeout: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port, timeout }, () => {
      socket.destroy();
      resolve(null);
    });
    socket.on('timeout', () => socket.destroy(new Error('the connection is not accepted')));
    socket.on('error', (error) => resolve(messageOf(error)));
  });
}

/** @param error several addresses may have been tried: then the message is empty */
const messageOf = (error: Error & { code?: string }) => error.message || (error.code ?? 'no connection');

function endedEarly(service: Running, title: string, ready: string) {
  const exit = service.exit as Exit;
  const why = exit.code === 0 ? ': a service must stay in the foreground' : '';
  return new CaseFailure(`${title} ${showExit(exit)} before it was ready${why}`, {
    log: service.log,
    detail: listenerDetail(service, ready),
  });
}

function notReady(
  service: Running,
  {
    title,
    shown,
    timeout_s,
    last,
    ready,
  }: { title: string; shown: string; timeout_s: number; last: string; ready: string },
) {
  return new CaseFailure(
    `${title} was not ready within ${showDuration(timeout_s)}: ${[shown, last].filter(Boolean).join(': ')}`,
    {
      log: service.log,
      detail: listenerDetail(service, ready),
      hint: elsewhereHint(service, ready) ?? 'If it only needs longer, set ready_timeout in its spec.',
    },
  );
}

/**
 * What to do about a service that listens, only not where it was to be ready.
 * @returns null: it listens there, or nowhere
 */
function elsewhereHint(service: Running, ready: string): string | null {
  const expectedPort = localPortOf(ready);
  const ports = expectedPort === null ? [] : portsOf(service.processes());
  if (expectedPort === null || ports.length === 0 || ports.includes(expectedPort)) return null;
  const listens = `It listens on port${ports.length > 1 ? 's' : ''} ${ports.join(', ')}, not on ${expectedPort}`;
  return `${listens}: does it take its port from PORT (env = { PORT = "\${port}" })?`;
}

/** Whether somebody else sits on the port that the service was to be ready on. */
export function listenerDetail(service: Running, ready: string): string | undefined {
  const port = 'container' in service ? null : localPortOf(ready);
  const listener = port && unknownListenerOn(port, service);
  return listener ? `port ${port} is held by process ${listener.pid} (${listener.command})` : undefined;
}

/** @returns the port of this machine that it is about */
export function localPortOf(ready: string): number | null {
  if (ready.startsWith('log:') || !URL.canParse(ready)) return null;
  const { hostname, port, protocol } = new URL(ready);
  const local = /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(hostname);
  return local ? Number(port) || ({ 'http:': 80, 'https:': 443 }[protocol] ?? null) : null;
}
