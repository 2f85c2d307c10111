import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { showExit } from '../process/command.js';
import { CaseFailure } from '../process/failure.js';
import { portsOf, unknownListenerOn } from '../process/port-owner.js';
import { showDuration } from '../spec/index.js';

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
 * - nothing: as soon as it was started.
 * @param {{ ready: string | null, timeout_s: number, shown?: string, title?: string,
 *   service: import('../process/command.js').Running, giveUp?: () => Error | null }} wanted shown: what to call `ready` in
 *   messages, where it holds a secret; title: what to call the service; giveUp: asked again and again, the error that
 *   ends the waiting
 * @throws {CaseFailure} it ended, or was not ready in time
 */
export async function untilReady(wanted) {
  const { ready, timeout_s, shown = ready ?? '', service, giveUp = () => null } = wanted;
  const { title = `service "${service.name}"` } = wanted;
  if (!ready) return;
  const attempt = attemptOf(ready, service);
  const deadline = performance.now() + timeout_s * 1000;
  let last = '';
  for (let pause = pauses.first; ; pause = Math.min(pause * pauses.growth, pauses.longest)) {
    const time = Math.max(1, Math.min(attemptTimeout, deadline - performance.now()));
    const answer = await Promise.race([attempt(time), service.exited.then(() => null)]);
    const reason = giveUp();
    if (reason) throw reason;
    if (service.exit) throw endedEarly(service, title, ready);
    if (answer === null) return;
    // the last attempt may have had a moment only: what those before it saw says more
    const cut = time < attemptTimeout && answer.startsWith(noAnswer);
    if (!cut || last === '') last = answer;
    if (performance.now() + pause > deadline) throw notReady(service, { title, shown, timeout_s, last, ready });
    await Promise.race([sleep(pause), service.exited]);
  }
}

/**
 * @param {string} ready
 * @param {import('../process/command.js').Running} service
 * @returns {(timeout_ms: number) => Promise<string | null>} null: ready; else what came instead
 */
function attemptOf(ready, service) {
  if (ready.startsWith('log:')) {
    const pattern = new RegExp(ready.slice('log:'.length), 'm');
    return async () => (pattern.test(service.log.text()) ? null : 'no line of its output matches');
  }
  const url = new URL(ready);
  return url.protocol === 'tcp:'
    ? (timeout) => tryConnection(url.hostname, Number(url.port), timeout)
    : (timeout) => tryRequest(url, timeout);
}

/**
 * @param {URL} url
 * @param {number} timeout milliseconds
 * @returns {Promise<string | null>}
 */
function tryRequest(url, timeout) {
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

/**
 * @param {string} host
 * @param {number} port
 * @param {number} timeout milliseconds
 * @returns {Promise<string | null>}
 */
function tryConnection(host, port, timeout) {
  return new Promise((resolve) => {
    const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port, timeout }, () => {
      socket.destroy();
      resolve(null);
    });
    socket.on('timeout', () => socket.destroy(new Error('the connection is not accepted')));
    socket.on('error', (error) => resolve(messageOf(error)));
  });
}

/** @param {Error & { code?: string }} error several addresses may have been tried: then the message is empty */
const messageOf = (error) => error.message || (error.code ?? 'no connection');

/**
 * @param {import('../process/command.js').Running} service
 * @param {string} title
 * @param {string} ready
 */
function endedEarly(service, title, ready) {
  const exit = /** @type {import('../process/command.js').Exit} */ (service.exit);
  const why = exit.code === 0 ? ': a service must stay in the foreground' : '';
  return new CaseFailure(`${title} ${showExit(exit)} before it was ready${why}`, {
    log: service.log,
    detail: listenerDetail(service, ready),
  });
}

/**
 * @param {import('../process/command.js').Running} service
 * @param {{ title: string, shown: string, timeout_s: number, last: string, ready: string }} what
 */
function notReady(service, { title, shown, timeout_s, last, ready }) {
  return new CaseFailure(`${title} was not ready within ${showDuration(timeout_s)}: ${shown}: ${last}`, {
    log: service.log,
    detail: listenerDetail(service, ready),
    hint: elsewhereHint(service, ready) ?? 'If it only needs longer, set ready_timeout in its spec.',
  });
}

/**
 * What to do about a service that listens, only not where it was to be ready.
 * @param {import('../process/command.js').Running} service
 * @param {string} ready
 * @returns {string | null} null: it listens there, or nowhere
 */
function elsewhereHint(service, ready) {
  const wanted = localPortOf(ready);
  const ports = wanted === null ? [] : portsOf(service.processes());
  if (wanted === null || ports.length === 0 || ports.includes(wanted)) return null;
  const listens = `It listens on port${ports.length > 1 ? 's' : ''} ${ports.join(', ')}, not on ${wanted}`;
  return `${listens}: does it take its port from PORT (env = { PORT = "\${port}" })?`;
}

/**
 * Whether somebody else sits on the port that the service was to be ready on.
 * @param {import('../process/command.js').Running} service
 * @param {string} ready
 * @returns {string | undefined}
 */
export function listenerDetail(service, ready) {
  const port = localPortOf(ready);
  const listener = port && unknownListenerOn(port, service);
  return listener ? `port ${port} is held by process ${listener.pid} (${listener.command})` : undefined;
}

/**
 * @param {string} ready
 * @returns {number | null} the port of this machine that it is about
 */
export function localPortOf(ready) {
  if (ready.startsWith('log:') || !URL.canParse(ready)) return null;
  const { hostname, port, protocol } = new URL(ready);
  const local = /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(hostname);
  return local ? Number(port) || ({ 'http:': 80, 'https:': 443 }[protocol] ?? null) : null;
}
