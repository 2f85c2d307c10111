import { createServer } from 'node:net';

/** @import { AddressInfo } from 'node:net' */

/** @returns {Promise<number>} a port of 127.0.0.1 that nobody has just now */
export function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {AddressInfo} */ (server.address());
      server.close(() => done(port));
    });
  });
}
