// What is said of a service that was not ready in time, where that depends on how long its answers take.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { endCommand, startCommand } from '../../dist/base/process/command.js';
import { openLog } from '../../dist/base/process/log.js';
import { untilReady } from '../../dist/run/services/ready.js';
import { runIn } from '../support/services-in.js';

/** @import { AddressInfo } from 'node:net' */

test('a slow 500 is named also when the last attempt has too little time for it', async (context) => {
  const server = createServer((_, response) => setTimeout(() => response.writeHead(500).end(), 400));
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = /** @type {AddressInfo} */ (server.address());
  const { run, folder } = await runIn(context);
  const log = openLog(join(folder, 'app.log'));
  const argv = [process.execPath, '-e', 'setInterval(() => {}, 1e3)'];
  const service = await startCommand({ name: 'app', argv, cwd: folder, env: process.env, log }, run);
  try {
    await assert.rejects(untilReady({ ready: `http://127.0.0.1:${port}/`, timeout_s: 3, service }), /it answers 500/);
  } finally {
    await endCommand(service, 'SIGKILL', 1000);
    log.close();
    server.close();
  }
});
