import grpc from 'k6/net/grpc';
import { jsonAt } from '../shared/json-at.js';
import { compileBody } from './body.js';
import { addressOf, compileHeaders, counted, noAnswer } from './protocol.js';

/** @import { Response } from 'k6/net/grpc' */
/** @import { PlannedRequest } from '../plan/requests.js' */
/** @import { RequestTarget, Sending, User } from './requests.js' */

/** gRPC's status of a server that cannot be reached: to us it is not an answer. */
const unavailable = 14;

/**
 * Compiles a call of gRPC. A user has one connection to each address, for all its calls of the same proto files.
 * @param {PlannedRequest} request
 * @param {RequestTarget} target
 * @param {User} user
 * @returns {Sending}
 */
export function compileCall({ url, body, headers, params, statuses, protos, folder }, target, user) {
  const { origin, path, address, isSecure } = addressOf(url, target, user.values);
  const connection = connectionOf(user, { address, protos, folder });
  const message = compileBody(/** @type {{ json: string }} */ (body), user.values);
  const metadataOf = compileHeaders(headers, user.values);
  const timeout = params.timeout ?? '60s';
  return {
    address: null,
    perform: counted(statuses, () => {
      if (!connection.open) connection.client.connect(address, { plaintext: !isSecure, timeout });
      connection.open = true;
      const text = /** @type {string} */ (typeof message === 'function' ? message() : message);
      const metadata = metadataOf();
      const answer = connection.client.invoke(path, JSON.parse(text), { metadata, timeout });
      if (Number(answer.status) === unavailable)
        throw noAnswer(/** @type {any} */ (answer.error)?.message ?? 'unavailable');
      const sent = { method: 'GRPC', url: origin + path, headers: metadata, body: text };
      return /** @type {any} */ (responseOf(answer, sent));
    }),
    follow: (first) => first,
  };
}

/**
 * @param {User} user
 * @param {{ address: string, protos: string[], folder: string }} to
 * @returns {{ client: InstanceType<typeof grpc.Client>, open: boolean }}
 */
function connectionOf(user, { address, protos, folder }) {
  const key = JSON.stringify([address, protos]);
  user.connections ??= new Map();
  const known = user.connections.get(key);
  if (known) return known;
  const client = new grpc.Client();
  client.load([folder], ...protos);
  const connection = { client, open: false };
  user.connections.set(key, connection);
  return connection;
}

/**
 * An answer of gRPC as the rest knows those of HTTP. Its message is written out only for who reads it.
 * @param {Response} answer
 * @param {{ method: string, url: string, headers: Record<string, string>, body: string }} request
 */
function responseOf({ status, message, headers }, request) {
  /** @type {string | null} */
  let text = null;
  return {
    status: Number(status), // k6's prints its name
    status_text: `${Number(status)} (${status})`,
    request,
    timings: { receiving: 0 },
    get headers() {
      return Object.fromEntries(Object.entries(headers ?? {}).map(([name, values]) => [name, [values].flat()[0]]));
    },
    get body() {
      text ??= JSON.stringify(message ?? null);
      return text;
    },
    json: (/** @type {string} */ path) => jsonAt(message, path),
  };
}
