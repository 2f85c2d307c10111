import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

/**
 * What a request looked like from the server's side.
 * @typedef {object} Seen
 * @property {string} method
 * @property {string} path
 * @property {string} query
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {Buffer} body
 * @property {number} connection the same for requests on one connection
 * @property {number} at epoch milliseconds
 */

/**
 * A server that writes down every request and answers by path:
 * /status/<n>; /redirect, to /landed; /drop, no answer; /session, sets a cookie; /things, the values that a request may
 * capture; anything else, 200 and "ok".
 * @returns {Promise<{ url: string, seen: Seen[], of: (path: string) => Seen[], close: () => void }>}
 */
export async function startTarget() {
  /** @type {Seen[]} */
  const seen = [];
  let connections = 0;
  /** @type {WeakMap<import('node:net').Socket, number>} */
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
      answer(path, response, request.socket);
    });
  });
  server.on('connection', (socket) => numbers.set(socket, (connections += 1)));
  await new Promise((/** @type {(value?: unknown) => void} */ done) => server.listen(0, '127.0.0.1', done));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`, seen, of: (path) => seen.filter((one) => one.path === path),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * @param {string} path
 * @param {import('node:http').ServerResponse} response
 * @param {import('node:net').Socket} socket
 */
function answer(path, response, socket) {
  const [, kind, value] = path.split('/');
  if (kind === 'drop') return socket.destroy();
  if (kind === 'status') return response.writeHead(Number(value)).end('a status');
  if (kind === 'redirect') return response.writeHead(302, { Location: '/landed' }).end();
  if (kind === 'session') return response.writeHead(200, { 'Set-Cookie': 'session=s-1; Path=/' }).end('ok');
  if (kind === 'things') {
    const type = { 'Content-Type': 'application/json' };
    response.writeHead(200, { ...type, 'X-Token': 't-42', 'Set-Cookie': 'seat=c-9', Location: '/made/7?x=1' });
    return response.end('{"id":7,"user":{"name":"Ada"},"tags":["a","b"],"note":"ticket=abc/123;"}');
  }
  return response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok');
}

/** @param {string | Buffer} content */
export const sha256 = (content) => createHash('sha256').update(content).digest('hex');
