import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

/** @import { IncomingHttpHeaders, ServerResponse } from 'node:http' */
/** @import { AddressInfo, Socket } from 'node:net' */

/**
 * What a request looked like from the server's side.
 * @typedef {object} SeenRequest
 * @property {string} method
 * @property {string} path
 * @property {string} query
 * @property {IncomingHttpHeaders} headers
 * @property {Buffer} body
 * @property {number} connection the same for requests on one connection
 * @property {number} at epoch milliseconds
 */

/**
 * Gives a test a target of its own, so that several can run at once.
 * @param {(target: Target) => Promise<void>} body
 * @returns {() => Promise<void>}
 */
export const withTarget = (body) => async () => {
  const target = await startTarget();
  try {
    await body(target);
  } finally {
    target.close();
  }
};

/**
 * A server that writes down every request and answers by path:
 * /status/<n>; /redirect, to /landed; /go/<status>?to=<url>, there; /drop, no answer; /session, sets a cookie; /things, the values that a request may
 * capture; /stream/<bytes>/<ms>, so much in that time; /chunks/<bytes>/<ms>, the same without Content-Length; /odd, 500
 * from 1 s to 2 s after the first of its requests; anything else, 200 and "ok".
 * @typedef {{ url: string, seen: SeenRequest[], of: (path: string) => SeenRequest[], close: () => void }} Target
 * @returns {Promise<Target>}
 */
export async function startTarget() {
  /** @type {SeenRequest[]} */
  const seen = [];
  let connections = 0;
  /** @type {WeakMap<Socket, number>} */
  const numbers = new WeakMap();
  const server = createServer((request, response) => {
    const at = Date.now();
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const [path, query = ''] = (request.url ?? '').split('?');
      const { method = '', headers, socket } = request;
      const connection = /** @type {number} */ (numbers.get(socket));
      seen.push({ method, path, query, headers, body: Buffer.concat(chunks), connection, at });
      const first = seen.find((one) => one.path === path)?.at ?? at;
      answer(path, query, response, request.socket, at - first);
    });
  });
  server.on('connection', (socket) => {
    connections += 1;
    numbers.set(socket, connections);
  });
  await new Promise((/** @type {(value?: unknown) => void} */ done) => server.listen(0, '127.0.0.1', done));
  const { port } = /** @type {AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    of: (path) => seen.filter((one) => one.path === path),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * @param {string} path
 * @param {string} query
 * @param {ServerResponse} response
 * @param {Socket} socket
 * @param {number} age milliseconds since the first request of this path
 */
function answer(path, query, response, socket, age) {
  const [, kind, value, time] = path.split('/');
  if (kind === 'stream' || kind === 'chunks')
    return void stream(response, Number(value), Number(time), kind === 'stream');
  if (kind === 'odd') return response.writeHead(age >= 1000 && age < 2000 ? 500 : 200).end('ok');
  if (kind === 'drop') return socket.destroy();
  if (kind === 'status') return response.writeHead(Number(value)).end('a status');
  if (kind === 'redirect') return response.writeHead(302, { Location: '/landed' }).end();
  if (kind === 'go')
    return response.writeHead(Number(value), { Location: new URLSearchParams(query).get('to') ?? '' }).end();
  if (kind === 'session') return response.writeHead(200, { 'Set-Cookie': 'session=s-1; Path=/' }).end('ok');
  if (kind === 'things') {
    const type = { 'Content-Type': 'application/json' };
    response.writeHead(200, { ...type, 'X-Token': 't-42', 'Set-Cookie': 'seat=c-9', Location: '/made/7?x=1' });
    return response.end('{"id":7,"user":{"name":"Ada"},"tags":["a","b"],"note":"ticket=abc/123;"}');
  }
  return response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok');
}

/**
 * @param {ServerResponse} response
 * @param {number} bytes
 * @param {number} time ms
 * @param {boolean} sized it says how long it is
 */
async function stream(response, bytes, time, sized) {
  const steps = 10;
  response.writeHead(200, sized ? { 'Content-Length': bytes } : {});
  for (let i = 0; i < steps; i += 1) {
    response.write(Buffer.alloc(bytes / steps, 'x'));
    await new Promise((done) => setTimeout(done, time / steps));
  }
  response.end();
}

/** @param {string | Buffer} content */
export const sha256 = (content) => createHash('sha256').update(content).digest('hex');
