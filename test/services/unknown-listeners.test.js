// Whoever answers at an address that a case loads is a service of its environment, or declared not to be.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { startServices } from '../../dist/run/services/services.js';
import { caseWith, runIn } from '../support/services-in.js';

/** @import { AddressInfo } from 'node:net' */
/** @import { TestContext } from 'node:test' */

const program = `require('node:http').createServer((request, response) => response.end()).listen(process.env.PORT)`;

/** @param {TestContext} context @param {string} [host] @returns {Promise<number>} the port of a stranger */
async function stranger(context, host = '127.0.0.1') {
  const server = createServer((_, response) => response.end('me'));
  await once(server.listen(0, host), 'listening');
  context.after(() => void server.close());
  return /** @type {AddressInfo} */ (server.address()).port;
}

describe('an address of this machine', { concurrency: true }, () => {
  for (const [host, bound] of [
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '0.0.0.0'],
    ['localhost', '127.0.0.1'],
    ['[::1]', '::1'],
    ['127.0.0.2', '127.0.0.2'],
  ]) {
    test(`${host}, where somebody else listens on ${bound}, is not loaded`, async (context) => {
      const port = await stranger(context, bound);
      const { run, folder } = await runIn(context);
      await assert.rejects(
        startServices({ ...caseWith(program), url: `http://${host}:${port}/base` }, folder, run),
        new RegExp(
          `^CaseFailure: http://.*:${port} is not served by a service of the environment but by process ${process.pid} `,
        ),
      );
    });
  }

  test('is loaded where it is said to be meant, or where the services have no part in it', async (context) => {
    const port = await stranger(context);
    const { run, folder } = await runIn(context);
    const url = `http://127.0.0.1:${port}`;
    const declared = await startServices({ ...caseWith(program), url, external: [url] }, folder, run);
    await declared.stop();
    const none = await startServices({ ...caseWith(program), services: [], url }, folder, run);
    await none.stop();
  });

  test('that a service listens on is its own, also through a child, and on all addresses', async (context) => {
    const { run, folder } = await runIn(context);
    const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(program)}], { stdio: 'inherit' }); setInterval(() => {}, 1e3)`;
    const services = await startServices({ ...caseWith(child), url: 'http://localhost:${port}/base' }, folder, run);
    await services.stop();
  });

  test('among those that are named besides is looked at too', async (context) => {
    const port = await stranger(context);
    const { run, folder } = await runIn(context);
    await assert.rejects(
      startServices({ ...caseWith(program), hosts: [`http://127.0.0.1:${port}`] }, folder, run),
      /is not served by a service/,
    );
  });

  test('is looked at again: somebody else may have taken it over', async (context) => {
    const { run, folder } = await runIn(context);
    const leaving = `const server = require('node:http').createServer((request, response) => {
      response.end();
      if (request.url === '/leave') { server.close(); server.closeAllConnections(); setInterval(() => {}, 1e3); }
    }).listen(process.env.PORT)`;
    const services = await startServices(caseWith(leaving), folder, run);
    context.after(() => services.stop());
    await services.check();
    await fetch(`${services.url}/leave`).catch(() => null);
    const server = createServer((_, response) => response.end('me'));
    context.after(() => void server.close());
    const port = Number(new URL(services.url).port);
    for (let listens = false; !listens; ) {
      server.listen(port, '127.0.0.1');
      listens = await once(server, 'listening').then(
        () => true,
        () => false, // it has not left yet
      );
    }
    await assert.rejects(services.check(), /is not served by a service of the environment but by process/);
  });

  test('is looked at twice before a service is refused: who just ends may still hold it', async (context) => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = /** @type {AddressInfo} */ (server.address());
    const { run, folder } = await runIn(context);
    const url = `http://127.0.0.1:${port}`;
    const given = { ...caseWith(program), url };
    const looked = Object.defineProperty(given, 'external', {
      get() {
        setImmediate(() => server.close()); // after the first look
        return [];
      },
    });
    const services = await startServices(looked, folder, run);
    context.after(() => services.stop());
    assert.equal(server.listening, false);
  });

  test('may be that of another service, by its port', async (context) => {
    const { run, folder } = await runIn(context);
    const { services, ...one } = caseWith(program);
    const login = { ...services[0], name: 'login' };
    const hosts = ['http://127.0.0.1:${port.login}'];
    const running = await startServices(
      { ...one, services: [...services, login], url: 'http://127.0.0.1:${port.app}', hosts },
      folder,
      run,
    );
    context.after(() => running.stop());
    assert.deepEqual(running.hosts, [`http://127.0.0.1:${running.values.ports.login}`]);
    assert.notEqual(running.hosts[0], running.url);
  });
});
