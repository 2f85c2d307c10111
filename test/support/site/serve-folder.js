import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** @import { AddressInfo } from 'node:net' */

/** @type {Record<string, string>} */
const types = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.csv': 'text/csv',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.atom': 'application/atom+xml',
};

/**
 * Serves a built site as a project's pages are served: under a path, nothing at the root, compressed for whoever takes it.
 * @param {string} folder
 * @param {string} base with a slash at both ends
 * @param {string} [rest] pages come in two parts, of which this text begins the second
 */
export async function serveFolder(folder, base, rest) {
  /** @type {{ path: string, bytes: number }[]} */
  const sent = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '').split('?')[0];
    const file = join(folder, path.slice(base.length), path.endsWith('/') ? 'index.html' : '');
    const isThere = path.startsWith(base) && statSync(file, { throwIfNoEntry: false })?.isFile();
    const text = isThere ? readFileSync(file) : Buffer.alloc(0);
    const zipped = gzipSync(text);
    sent.push({ path, bytes: zipped.length });
    if (!isThere) return void response.writeHead(404).end();
    const headers = { 'content-type': types[extname(file)] ?? 'text/plain' };
    const cut = rest && file.endsWith('.html') ? text.indexOf(rest) : -1;
    if (cut > 0) {
      response.writeHead(200, headers).write(text.subarray(0, cut));
      await sleep(400); // it is painted meanwhile
      return void response.end(text.subarray(cut));
    }
    const zips = /\bgzip\b/.test(String(request.headers['accept-encoding']));
    response.writeHead(200, zips ? { ...headers, 'content-encoding': 'gzip' } : headers).end(zips ? zipped : text);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {AddressInfo} */ (server.address());
  return {
    address: `http://127.0.0.1:${port}${base}`,
    /** What was asked for, with its size as compressed. */
    sent,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
