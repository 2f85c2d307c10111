import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { CaseFailure } from '../../base/process/failure.js';

/** @import { IncomingMessage, RequestOptions } from 'node:http' */

/**
 * The API of a cluster, by a socket of `kubectl proxy`.
 *
 * @typedef {{ socket: string, namespace: string }} ProxyAddress
 * @typedef {ReturnType<typeof clientOf>} Client
 */

/** Milliseconds that an answer may take. */
const answer_ms = 30_000;

/** What passes by itself: the API server is busy, or restarts. */
const passing = new Set([429, 500, 502, 503, 504]);

/** Milliseconds between the tries of what can be asked again. */
const pauses_ms = [200, 500, 1000, 2000];

/** The API server refused. */
export class ClusterError extends CaseFailure {
  /** @param {string} message @param {{ status: number | null, hint?: string, cause?: unknown }} options status: of HTTP */
  constructor(message, { status, ...options }) {
    super(message, options);
    this.status = status;
  }
}

/**
 * @param {ProxyAddress} address
 */
export function clientOf({ socket, namespace }) {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const at = (/** @type {string} */ path) =>
    path
      .replace(/^core\//, `/api/v1/namespaces/${namespace}/`)
      .replace(/^batch\//, `/apis/batch/v1/namespaces/${namespace}/`);

  /**
   * @param {string} method
   * @param {string} path below a group: "batch/jobs/x", "core/pods"; or absolute
   * @param {{ body?: unknown, type?: string, signal?: AbortSignal }} [options] type: of the body
   * @returns {Promise<any>} the answer: JSON, or text where it is not JSON
   * @throws {ClusterError}
   */
  const send = async (method, path, { body, type = 'application/json', signal } = {}) => {
    const answer = await exchange({ socketPath: socket, agent, method, path: at(path), signal }, body, type);
    if (answer.status < 400) return parsed(answer.text);
    throw refused(method, at(path), answer);
  };

  return {
    namespace,
    send,
    /**
     * Asks, again where the answer was one that passes.
     * @param {string} path
     * @returns {Promise<any>}
     * @throws {ClusterError}
     */
    async get(path) {
      for (const pause of pauses_ms) {
        try {
          return await send('GET', path);
        } catch (error) {
          const { status } = /** @type {ClusterError} */ (error);
          if (status !== null && !passing.has(status)) throw error;
          await sleep(pause);
        }
      }
      return send('GET', path);
    },
    /**
     * Follows lines as they come, until there are no more or the connection ends.
     * @param {string} path
     * @param {{ onLine: (line: string) => void, signal: AbortSignal }} given
     * @throws {ClusterError}
     */
    async follow(path, { onLine, signal }) {
      const response = await opened({ socketPath: socket, method: 'GET', path: at(path), signal });
      const status = response.statusCode ?? 0;
      if (status >= 400) throw refused('GET', at(path), { status, text: await textOf(response) });
      response.on('error', () => {}); // whoever follows asks whether it was the end
      for await (const line of createInterface({ input: response })) onLine(line);
    },
    close: () => agent.destroy(),
  };
}

/** @param {RequestOptions} options @param {string} [body] @returns {Promise<IncomingMessage>} */
function opened(options, body) {
  return new Promise((resolve, reject) => {
    const sent = request(options);
    const late = () => sent.destroy(new Error(`no answer within ${answer_ms / 1000} s`));
    const timer = setTimeout(late, answer_ms); // a log that is followed may be silent for longer
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.on('close', () => clearTimeout(timer));
    sent.on('response', () => clearTimeout(timer));
    sent.end(body);
  });
}

/** @param {IncomingMessage} response */
async function textOf(response) {
  const parts = [];
  for await (const part of response) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** @param {RequestOptions} options @param {unknown} body @param {string} type */
async function exchange(options, body, type) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) };
  try {
    const response = await opened({ ...options, headers }, text);
    return { status: response.statusCode ?? 0, text: await textOf(response) };
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new ClusterError(`the cluster does not answer to ${options.method} ${options.path}: ${message}`, {
      status: null,
      cause,
    });
  }
}

/** @param {string} text @returns {unknown} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @param {string} method @param {string} path @param {{ status: number, text: string }} answer */
function refused(method, path, { status, text }) {
  const { message } = /** @type {{ message?: unknown }} */ (Object(parsed(text)));
  const why = String(message ?? text).trim() || `status ${status}`;
  return new ClusterError(`the cluster refused ${method} ${path.split('?')[0]}: ${why}`, {
    status,
    hint: status === 403 ? 'Whoever runs it needs the rights that `benchfolio cluster-role` prints.' : undefined,
  });
}
