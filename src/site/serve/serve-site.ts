import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { UserError } from '../../base/errors.js';
import { isOwnHost } from '../../base/io/own-host.js';
import type { World } from '../../base/world.js';
import type { Suite } from '../../suite/suite.js';
import { stateOf } from './watch.js';

const preferredPort = 4040;
const lookEvery = 1000;

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/**
 * Serves the finished pages on this machine until the process is to end, and builds them again when what they are
 * made from changes.
 * @param what opened: gets the address
 */
export async function serveSite(
  {
    suite,
    folder,
    build,
    opened,
  }: { suite: Suite; folder: string; build: () => Promise<unknown>; opened: (url: string) => void },
  { stdout, stderr }: Pick<World, 'stdout' | 'stderr'>,
) {
  const server = createServer((request, response) => {
    if (!isOwnHost(request.headers.host)) return void response.writeHead(403).end();
    answer(folder, request.url ?? '/', response).catch((error) => response.destroy(error));
  });
  const url = `http://127.0.0.1:${await listen(server)}/`;
  stdout.write(`${url} (Ctrl-C ends it)\n`);
  opened(url);
  const failed = ({ message }: Error) => stderr.write(`${message}\nThe pages are as they were.\n`);
  const stop = rebuildOnChange(suite, build, failed);
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  stop();
  server.close();
  server.closeAllConnections();
}

/** @returns the port: the preferred one, or any when that is taken */
function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') server.listen(0, '127.0.0.1');
      else reject(error);
    });
    server.on('listening', () => resolve((server.address() as AddressInfo).port));
    server.listen(preferredPort, '127.0.0.1');
  });
}

async function answer(folder: string, url: string, response: ServerResponse) {
  const file = fileOf(folder, url);
  // Read at once: a build may take the folder away between looking for a file and reading it.
  const text = file?.startsWith(folder + sep) ? await readFile(file).catch(() => null) : null;
  if (!file || !text) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.\n');
    return;
  }
  const type = types[extname(file)] ?? 'application/octet-stream';
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(text);
}

/** @returns not always within the folder; null: no address at all */
function fileOf(folder: string, url: string): string | null {
  try {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    return normalize(join(folder, path.endsWith('/') ? `${path}index.html` : path));
  } catch {
    return null;
  }
}

/**
 * @param failed a known error: somebody is in the middle of an edit
 * @returns stops looking
 */
function rebuildOnChange(suite: Suite, build: () => Promise<unknown>, failed: (error: Error) => void): () => void {
  let state = stateOf(suite);
  let ended = false;
  const look = async () => {
    const now = stateOf(suite);
    if (now !== state) {
      state = now;
      await build().catch((error) => {
        if (!(error instanceof UserError)) throw error;
        failed(error);
      });
    }
    if (!ended) timer = setTimeout(look, lookEvery);
  };
  let timer = setTimeout(look, lookEvery);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
