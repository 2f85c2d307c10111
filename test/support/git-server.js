import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** @import { AddressInfo } from 'node:net' */

/**
 * Serves a bare repository by HTTP, as a forge does: everyone reads, a push needs the token.
 * @param {string} folder with the repository
 * @param {string} token
 * @returns {Promise<{ url: string, close: () => void, refused: () => number }>} refused: pushes without the token
 */
export async function gitServer(folder, token) {
  const user = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  let refused = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams, search } = new URL(request.url ?? '/', 'http://localhost');
    const mayPush = request.headers.authorization?.replace(/^basic/i, 'Basic') === user;
    const pushes = pathname.endsWith('/git-receive-pack') || searchParams.get('service') === 'git-receive-pack';
    if (pushes && !mayPush) {
      refused += 1;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' });
      return void response.end();
    }
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_PROTOCOL: request.headers['git-protocol']?.toString() ?? '',
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        ...(mayPush && { REMOTE_USER: 'x-access-token' }),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    request.pipe(backend.stdin);
    sendCgi(backend.stdout, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, close: () => server.close(), refused: () => refused };
}

/**
 * Sends what a CGI program prints: lines of a header, an empty one, the body.
 * @param {import('node:stream').Readable} output
 * @param {import('node:http').ServerResponse} response
 */
async function sendCgi(output, response) {
  const chunks = [];
  for await (const chunk of output) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  const end = all.indexOf('\r\n\r\n');
  for (const line of all.subarray(0, end).toString().split('\r\n')) {
    const [, name, value] = /^([^:]+): *(.*)$/.exec(line) ?? [];
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
    else if (name) response.setHeader(name, value);
  }
  response.end(all.subarray(end + 4));
}
