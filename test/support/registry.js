import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { call } from './package.js';

/** @import { AddressInfo } from 'node:net' */

/**
 * Serves packages as the registry does after they were published, a shrinkwrap noted, and passes on all others.
 * @param {string[]} files the packed packages
 * @returns {Promise<{ url: string, close: () => void }>} url: for `npm --registry`
 */
export async function registryWith(...files) {
  const published = new Map(files.map((file) => [readManifest(file).name, file]));
  const upstream = call('.', 'npm', 'config', 'get', 'registry').trim().replace(/\/$/, '');
  const server = createServer((request, response) => {
    const { port } = /** @type {AddressInfo} */ (server.address());
    const [name, tarballName] = decodeURIComponent(String(request.url)).slice(1).split('/-/');
    const file = published.get(name);
    if (file === undefined) {
      response.writeHead(307, { location: `${upstream}${request.url}` });
      return void response.end();
    }
    const tarball = readFileSync(file);
    if (tarballName !== undefined) return void response.end(tarball);
    const manifest = readManifest(file);
    const { version } = manifest;
    const dist = {
      tarball: `http://127.0.0.1:${port}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`,
      integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    };
    const noted = { ...manifest, _hasShrinkwrap: name === 'benchfolio', _id: `${name}@${version}`, dist };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: noted } }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** @param {string} file a packed package */
const readManifest = (file) => JSON.parse(call('.', 'tar', '-xzOf', file, 'package/package.json'));
