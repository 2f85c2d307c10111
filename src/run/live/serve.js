import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isOwnHost } from '../../base/io/own-host.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */

/** Nothing else than its own files, and no script in the page. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

const types = { css: 'text/css', html: 'text/html', js: 'text/javascript', json: 'application/json' };

/** Milliseconds that pages have to take the last event. */
const last_event_timeout_ms = 1000;

/**
 * Serves the page of a run under way, on this machine alone.
 * @param {{ folders: readonly string[], chart: string }} given folders: of the site, the first shadows the next; chart: Vega
 * @param {() => object} first the event that a page gets when it comes
 * @returns {Promise<{ url: string, send: (event: object) => void, close: () => Promise<void> }>}
 */
export async function serveLive({ folders, chart }, first) {
  /** @type {Set<ServerResponse>} */
  const pages = new Set();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  async function answer({ url = '/', headers }, response) {
    // A page of another site can have a name that leads here.
    if (!isOwnHost(headers.host)) return void response.writeHead(403).end();
    const { pathname } = new URL(url, 'http://localhost');
    if (pathname === '/events') return follow(response);
    const text = pathname === '/chart.json' ? chart : await readPart(pathname.slice(1) || 'live/index.html', folders);
    if (text === null) return void response.writeHead(404).end();
    const type = types[/** @type {keyof typeof types} */ (pathname.split('.').at(-1))] ?? types.html;
    response.writeHead(200, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'cache-control': 'no-store',
    });
    response.end(text);
  }

  /** @param {ServerResponse} response */
  function follow(response) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(message(first()));
    pages.add(response);
    response.on('close', () => pages.delete(response));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref(); // a run that ends without closing ends all the same
  const { port } = /** @type {AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    send(event) {
      for (const page of pages) page.write(message(event));
    },
    async close() {
      if (!server.listening) return;
      const late = setTimeout(() => server.closeAllConnections(), last_event_timeout_ms);
      for (const page of pages) page.end();
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
      clearTimeout(late);
    },
  };
}

/** @param {object} event */
const message = (event) => `data: ${JSON.stringify(event)}\n\n`;

/** The parts of the page, as they lie in a site folder. */
const parts = /^(live\/(index\.html|live\.js)|assets\/(css\/site\.css|js\/[a-z-]+\.js))$/;

const { resolve } = createRequire(import.meta.url);

/**
 * @param {string} path of what the page asks for
 * @param {readonly string[]} folders
 * @returns {Promise<string | null>} null: there is no such part
 */
async function readPart(path, folders) {
  if (path === 'vega.js') return readFile(join(dirname(resolve('vega')), 'vega.min.js'), 'utf8');
  // It is a module of another one, which a browser does not find by that name; all that it takes of it is Vega's own.
  if (path === 'live/vega-interpreter.js')
    return (await readFile(resolve('vega-interpreter'), 'utf8')).replace(
      /^import (\{[^}]*\}) from 'vega-util';/m,
      'const $1 = globalThis.vega;',
    );
  const file = parts.test(path) && folders.map((folder) => join(folder, path)).find(existsSync);
  return file ? readFile(file, 'utf8') : null;
}
