import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { CaseFailure } from '../../base/process/failure.js';

/** The API of a cluster, by a socket of `kubectl proxy`. */
type ProxyAddress = { socket: string; namespace: string };

export type Client = ReturnType<typeof clientOf>;

/** Milliseconds that an answer may take. */
const answer_ms = 30_000;

/** What passes by itself: the API server is busy, or restarts. */
const passing = new Set([429, 500, 502, 503, 504]);

/** Milliseconds between the tries of what can be asked again. */
const pauses_ms = [200, 500, 1000, 2000];

/** The API server refused. */
export class ClusterError extends CaseFailure {
  status: number | null;

  /** @param options status: of HTTP */
  constructor(message: string, { status, ...options }: { status: number | null; hint?: string; cause?: unknown }) {
    super(message, options);
    this.status = status;
  }
}

export function clientOf({ socket, namespace }: ProxyAddress) {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const at = (path: string) =>
    path
      .replace(/^core\//, `/api/v1/namespaces/${namespace}/`)
      .replace(/^batch\//, `/apis/batch/v1/namespaces/${namespace}/`);

  /**
   * @param path below a group: "batch/jobs/x", "core/pods"; or absolute
   * @param options type: of the body
   * @returns the answer: JSON, or text where it is not JSON
   * @throws {ClusterError}
   */
  const send = async (
    method: string,
    path: string,
    { body, type = 'application/json', signal }: { body?: unknown; type?: string; signal?: AbortSignal } = {},
  ): Promise<any> => {
    const answer = await exchange({ socketPath: socket, agent, method, path: at(path), signal }, body, type);
    if (answer.status < 400) return parsed(answer.text);
    throw refused(method, at(path), answer);
  };

  return {
    namespace,
    send,
    /**
     * Asks, again where the answer was one that passes.
     * @throws {ClusterError}
     */
    async get(path: string): Promise<any> {
      for (const pause of pauses_ms) {
        try {
          return await send('GET', path);
        } catch (error) {
          const { status } = error as ClusterError;
          if (status !== null && !passing.has(status)) throw error;
          await sleep(pause);
        }
      }
      return send('GET', path);
    },
    /**
     * Follows lines as they come, until there are no more or the connection ends.
     * @throws {ClusterError}
     */
    async follow(path: string, { onLine, signal }: { onLine: (line: string) => void; signal: AbortSignal }) {
      const response = await opened({ socketPath: socket, method: 'GET', path: at(path), signal });
      const status = response.statusCode ?? 0;
      if (status >= 400) throw refused('GET', at(path), { status, text: await textOf(response) });
      response.on('error', () => {}); // whoever follows asks whether it was the end
      for await (const line of createInterface({ input: response })) onLine(line);
    },
    close: () => agent.destroy(),
  };
}

function opened(options: RequestOptions, body?: string): Promise<IncomingMessage> {
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

async function textOf(response: IncomingMessage) {
  const parts = [];
  for await (const part of response) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function exchange(options: RequestOptions, body: unknown, type: string) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) };
  try {
    const response = await opened({ ...options, headers }, text);
    return { status: response.statusCode ?? 0, text: await textOf(response) };
  } catch (cause) {
    const { message } = cause as Error;
    throw new ClusterError(`the cluster does not answer to ${options.method} ${options.path}: ${message}`, {
      status: null,
      cause,
    });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function refused(method: string, path: string, { status, text }: { status: number; text: string }) {
  const { message } = Object(parsed(text)) as { message?: unknown };
  const why = String(message ?? text).trim() || `status ${status}`;
  return new ClusterError(`the cluster refused ${method} ${path.split('?')[0]}: ${why}`, {
    status,
    hint: status === 403 ? 'Whoever runs it needs the rights that `benchfolio cluster-role` prints.' : undefined,
  });
}
