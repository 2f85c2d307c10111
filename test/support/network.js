// A registry in small behind a slower network: real Toxiproxy.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { findTool } from '../../dist/base/tools/find-tool.js';
import { shapeNetwork } from '../../dist/run/services/shape-network.js';
import { runIn } from './services-in.js';

/** @import { AddressInfo } from 'node:net' */
/** @import { TestContext } from 'node:test' */

/** A tarball. */
export const page = Buffer.alloc(1_000_000, 'x');

/**
 * A registry in small: what it says of a package has the address of its tarball, made from the Host header.
 * @param {TestContext} context
 */
export async function registry(context) {
  /** @type {(string | undefined)[]} */
  const hosts = [];
  const server = createServer((request, response) => {
    hosts.push(request.headers.host);
    if (request.url === '/registry/left-pad')
      response.end(JSON.stringify({ tarball: `http://${request.headers.host}/left-pad.tgz` }));
    else response.end(page);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  context.after(() => server.close().closeAllConnections());
  const { port } = /** @type {AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/registry`, hosts };
}

/**
 * A network before an address, as an environment may have.
 * @param {TestContext} context
 * @param {string} url
 * @param {object} network
 */
export async function shaped(context, url, network) {
  const { run, folder } = await runIn(context);
  run.toxiproxy = (await findTool('toxiproxy')).path;
  const log = join(folder, 'network.log');
  const given = { bandwidth_bytes_per_second: null, latency_ms: 0, jitter_ms: 0, ...network };
  return { ...(await shapeNetwork(url, given, { log, run })), log };
}
