import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { portOwner } from '../../dist/base/process/port-owner.js';
import { isFree, portPool } from '../../dist/base/process/ports.js';

/** @import { AddressInfo } from 'node:net' */

test('ports given out are free and distinct, below those of outgoing connections', async () => {
  const pool = portPool();
  const ports = await Promise.all(Array.from({ length: 20 }, () => pool.take()));
  assert.equal(new Set(ports).size, 20);
  const [lowest] = (await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')).split(/\s+/).map(Number);
  for (const port of ports) assert.ok(port < lowest && (await isFree(port)));
});

for (const host of ['127.0.0.1', '::1', '0.0.0.0']) {
  test(`a port that somebody has on ${host} is not free, and the owner is known`, async (context) => {
    const server = createServer();
    server.listen(0, host);
    const listening = once(server, 'listening').then(() => true);
    const refused = once(server, 'error').then(() => false);
    if (!(await Promise.race([listening, refused]))) return context.skip(`this machine has no ${host}`);
    const { port } = /** @type {AddressInfo} */ (server.address());
    assert.equal(await isFree(port), false);
    assert.equal(portOwner(port)?.pid, process.pid);
    server.close();
  });
}
