import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { isOwnHost } from '../../base/io/own-host.js';

/** Nothing else than its own files, and no script in the page. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

const types = { css: 'text/css', html: 'text/html', js: 'text/javascript', json: 'application/json' };

/** Milliseconds that pages have to take the last event. */
const last_event_timeout_ms = 1000;

/**
 * Serves the page of a run under way, on this machine alone.
 * @param given folders: of the site, the first shadows the next; chart: Vega
 * @param first the event that a page gets when it comes
 */
export async function serveLive(
  { folders, chart }: { folders: readonly string[]; chart: string },
  first: () => object,
): Promise<{ url: string; send: (event: object) => void; close: () => Promise<void> }> {
  const pages: Set<ServerResponse> = new Set();
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer({ url = '/', headers }: IncomingMessage, response: ServerResponse) {
    // A page of another site can have a name that leads here.
    if (!isOwnHost(headers.host)) return void response.writeHead(403).end();
    const { pathname } = new URL(url, 'http://localhost');
    if (pathname === '/events') return follow(response);
    const text = pathname === '/chart.json' ? chart : await readPart(pathname.slice(1) || 'live/index.html', folders);
    if (text === null) return void response.writeHead(404).end();
    const type = types[pathname.split('.').at(-1) as keyof typeof types] ?? types.html;
    response.writeHead(200, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'cache-control': 'no-store',
    });
    response.end(text);
  }

  function follow(response: ServerResponse) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(message(first()));
    pages.add(response);
    response.on('close', () => pages.delete(response));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref(); // a run that ends without closing ends all the same
  const { port } = server.address() as AddressInfo;
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

const message = (event: object) => `data: ${JSON.stringify(event)}\n\n`;

/** The parts of the page, as they lie in a site folder. */
const parts = /^(live\/(index\.html|live\.js)|assets\/(css\/site\.css|js\/[a-z-]+\.js))$/;

const { resolve } = createRequire(import.meta.url);

/**
 * @param path of what the page asks for
 * @returns null: there is no such part
 */
async function readPart(path: string, folders: readonly string[]): Promise<string | null> {
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
