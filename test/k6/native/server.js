import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../../support/k6/drive.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Http2Stream, ServerHttp2Stream } from 'node:http2' */
/** @import { AddressInfo, Socket } from 'node:net' */

/**
 * What a request looked like on the wire.
 * @typedef {{ method: string, target: string, version: string, headers: string[], body: string, connection: number }} Seen
 *   headers: as they came, in their order, but those of HTTP/2 by name; connection: from 1, in the order they were opened
 */

/** Where the certificate of a server of 127.0.0.1 is, and its key. It is its own authority. */
const certificate = join(root, 'test', 'fixtures', 'loopback-certificate');
export const certificateFile = join(certificate, 'cert.pem');

/**
 * A server that writes down every request as it came, and answers by its path: see `answers`.
 * @param {{ http2?: boolean }} [options] http2: by HTTPS, where it offers HTTP/2 as well as HTTP/1.1
 * @returns {Promise<{ url: string, seen: Seen[], close: () => void }>}
 */
export async function startRecorder({ http2 = false } = {}) {
  /** @type {Seen[]} */
  const seen = [];
  let connections = 0;
  /** @type {WeakMap<object, number>} */
  const numbers = new WeakMap();
  const listener = (
    /** @type {IncomingMessage & { stream?: ServerHttp2Stream }} */ request,
    /** @type {ServerResponse} */ response,
  ) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', httpVersion: version, rawHeaders, socket, stream } = request;
      seen.push({
        method,
        target: url,
        version,
        headers: stream ? byName(rawHeaders) : rawHeaders,
        body: Buffer.concat(chunks).toString('latin1'),
        connection: Number(numbers.get(stream?.session ?? socket)),
      });
      answer(url, response, socket);
    });
  };
  const secure = http2 && { key: readFileSync(join(certificate, 'key.pem')), cert: readFileSync(certificateFile) };
  const server = secure
    ? createSecureServer({ ...secure, allowHTTP1: true }, /** @type {any} */ (listener))
    : createServer(listener);
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = 60_000;
  /** @type {Set<Socket>} */
  const open = new Set();
  server.on('connection', (/** @type {Socket} */ socket) => open.add(socket.on('close', () => open.delete(socket))));
  server.on(http2 ? 'session' : 'connection', (/** @type {object} */ one) => {
    connections += 1;
    numbers.set(one, connections);
  });
  await new Promise((/** @type {(value?: unknown) => void} */ done) => server.listen(0, '127.0.0.1', done));
  const { port } = /** @type {AddressInfo} */ (server.address());
  return {
    url: `http${http2 ? 's' : ''}://127.0.0.1:${port}`,
    seen,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Names and values, by name: Go writes them in another order each time. @param {string[]} headers @returns {string[]} */
const byName = (headers) =>
  Array.from({ length: headers.length / 2 }, (_, i) => headers.slice(2 * i, 2 * i + 2))
    .sort((a, b) => (a.join() < b.join() ? -1 : 1))
    .flat();

/** What is no good answer, or a strange one. @type {Record<string, string[]>} */
const raw = {
  chunk: ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
  longchunk: ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n'],
  garbage: ['SSH-2.0-OpenSSH\r\n'],
  status: ['HTTP/1.1 2000 OK\r\n\r\n'],
  lengths: ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  negative: ['HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nab'],
  nocolon: ['HTTP/1.1 200 OK\r\nabc\r\n\r\n'],
  header: ['HTTP/1.1 200 OK\r\nX-Long: ', 'x'.repeat(1_000_000), '\r\nContent-Length: 2\r\n\r\nok'],
  twice: ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 NO\r\nContent-Length: 0\r\n\r\n'],
  hints: ['HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
  old: ['HTTP/1.0 200 OK\r\n\r\nuntil the end'],
  folded: ['HTTP/1.1 200 OK\r\nX-A: a\r\n b\r\nContent-Length: 2\r\n\r\nok'],
};

/** What the paths answer. @type {Record<string, (response: ServerResponse, value: string, socket: Socket) => unknown>} */
const answers = {
  status: (response, value) => response.writeHead(Number(value)).end('a status'),
  to: (response, value) => response.writeHead(302, { Location: `/landed/${value}` }).end(),
  keep: (response) => response.writeHead(307, { Location: '/landed/kept' }).end('a body'),
  loop: (response) => response.writeHead(302, { Location: '/loop' }).end(),
  cookie: (response) => response.writeHead(302, { Location: '/landed/cookie', 'Set-Cookie': 'way=w-1; Path=/' }).end(),
  session: (response) => response.writeHead(200, { 'Set-Cookie': ['session=s-1; Path=/', 'theme=dark'] }).end('ok'),
  drop: (_, __, socket) => socket.destroy(),
  half: (response, _, socket) => {
    response.writeHead(200, { 'Content-Length': 100 });
    response.write('half');
    setTimeout(() => socket.destroy(), 20);
  },
  reset: (response, _, socket) => {
    response.writeHead(200, { 'Content-Length': 100 });
    response.write('half');
    setTimeout(() => socket.resetAndDestroy(), 20);
  },
  slow: (response, value) => setTimeout(() => response.end('slow'), Number(value)).unref(),
  gzip: (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('{"packed":true}')),
  chunks: (response) => {
    response.write('one,');
    setTimeout(() => response.end('two'), 5);
  },
  closing: (response) => response.writeHead(200, { Connection: 'close' }).end('bye'),
  raw: (_, value, socket) => {
    for (const part of raw[value]) socket.write(part);
    setTimeout(() => socket.destroy(), 300);
  },
  endless: (response) => {
    const more = () => {
      if (!('stream' in response ? /** @type {Http2Stream} */ (response.stream) : response).destroyed) {
        response.write('x'.repeat(10_000));
        setTimeout(more, 5);
      }
    };
    more();
  },
  trickle: (response) => {
    response.setHeader('Content-Length', 5);
    let left = 5;
    const more = () => {
      response.write('x');
      left -= 1;
      if (left) setTimeout(more, 30);
      else response.end();
    };
    more();
  },
  json: (response, value) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ text: 'x'.repeat(Number(value)) })),
  text: (response) => response.end('no JSON, but text with ticket=abc/123;'),
  things: (response) =>
    response
      .writeHead(200, {
        'Content-Type': 'application/json',
        'X-Token': 't-42',
        'Set-Cookie': 'seat=c-9',
        Location: '/made/7?x=1',
      })
      .end('{"id":7,"price":1.50,"user":{"name":"Ada"},"tags":["a",null],"note":"ticket=abc/123;","none":null}'),
};

/** @param {string} path @param {ServerResponse} response @param {Socket} socket */
function answer(path, response, socket) {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  const [, kind, value] = pathname.split('/');
  if (kind === 'away') response.writeHead(Number(value) || 302, { Location: searchParams.get('to') ?? '' }).end();
  else if (Object.hasOwn(answers, kind)) answers[kind](response, value, socket);
  else response.end('ok');
}
