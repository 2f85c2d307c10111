import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { endCommand, startCommand } from '../../dist/base/process/command.js';
import { openLog } from '../../dist/base/process/log.js';
import { portPool } from '../../dist/base/process/ports.js';
import { untilReady } from '../../dist/run/services/ready.js';
import { startServices } from '../../dist/run/services/services.js';
import { caseWith, runIn } from '../support/services-in.js';

/** @import { AddressInfo } from 'node:net' */
/** @import { TestContext } from 'node:test' */

// One that does not end when it cannot have its port.
const listen =
  'require("node:http").createServer((request, response) => response.end())' +
  '.on("error", () => setInterval(() => {}, 1e3)).listen(process.env.PORT)';

describe('services', { concurrency: true }, () => {
  test('one that asks for a port is ready when it listens there', async (context) => {
    const { run, folder } = await runIn(context);
    const services = await startServices(caseWith(`setTimeout(() => { ${listen} }, 300)`), folder, run);
    assert.equal((await fetch(services.url)).status, 200);
    await services.stop();
    await assert.rejects(fetch(services.url));
    assert.equal(services.failure(), null);
  });

  test('a port that is taken in between: the one who answers is not the service', async (context) => {
    const port = await portPool().take();
    const thief = createHttpServer((_, response) => response.end('me'));
    // As soon as there is a process, and before it listens, somebody else does.
    const { run, folder } = await runIn(context, { port, opened: () => void thief.listen(port) });
    await assert.rejects(
      startServices(caseWith(`setTimeout(() => { ${listen} }, 1000)`), folder, run),
      new RegExp(`^CaseFailure: port ${port}, meant for service "app", is taken by process ${process.pid} \\(`),
    );
    thief.close();
  });

  test('a service and its setup get what the runner has exported, and what `env` says instead', async (context) => {
    const { run, folder } = await runIn(context);
    run.env = { ...process.env, SHOP_EXPORTED: 'exported', SHOP_OWN: 'exported' };
    const say = 'console.log(process.env.SHOP_EXPORTED, process.env.SHOP_OWN)';
    const services = await startServices(
      caseWith(`${say}; ${listen}`, {
        setup: [[process.execPath, '-e', say]],
        env: { PORT: '${port}', SHOP_OWN: 'own' },
      }),
      folder,
      run,
    );
    await services.stop();
    for (const log of ['app.log', 'app.setup.log'])
      assert.equal(await readFile(join(folder, log), 'utf8'), 'exported own\n', log);
  });

  test('the setup of the second runs when the first is ready, with its own `env` and the port of the first', async (context) => {
    const { run, folder } = await runIn(context);
    const ask = `fetch('http://127.0.0.1:' + process.env.DATABASE).then((response) => response.text()).then(console.log)`;
    const [database] = caseWith(
      `setTimeout(() => require("node:http").createServer((_, response) => response.end("rows")).listen(process.env.PORT), 300)`,
      { name: 'db' },
    ).services;
    const app = caseWith(listen, {
      setup: [[process.execPath, '-e', ask]],
      env: { PORT: '${port}', DATABASE: '${port.db}' },
    });
    const services = await startServices(
      { ...app, url: 'http://127.0.0.1:${port.app}', services: [database, ...app.services] },
      folder,
      run,
    );
    await services.stop();
    assert.equal(await readFile(join(folder, 'app.setup.log'), 'utf8'), 'rows\n');
  });

  test('the stop signal is the one of the spec, and reaches what the service started', async (context) => {
    const { run, folder } = await runIn(context);
    const child =
      'process.on("SIGINT", () => { console.log("child stops"); process.exit(); });' +
      'console.log("child"); setInterval(() => {}, 1e3)';
    const services = await startServices(
      caseWith(
        `process.on('SIGINT', () => { console.log('parent stops'); process.exit(); });
       require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' })`,
        { ready: 'log:^child$', stop_signal: 'SIGINT', env: { UNUSED: '${port}' } },
      ),
      folder,
      run,
    );
    await services.stop();
    const text = services.list[0].running.log.tail();
    assert.match(text, /parent stops/);
    assert.match(text, /child stops/);
    assert.deepEqual(run.notes, []);
  });
});

describe('ready', { concurrency: true }, () => {
  /** @param {TestContext} context @param {string} ready @param {number} timeout_s */
  const waitFor = async (context, ready, timeout_s, program = 'setInterval(() => {}, 1e3)') => {
    const { run, folder } = await runIn(context);
    const log = openLog(join(folder, 'app.log'));
    const argv = [process.execPath, '-e', program];
    const service = await startCommand({ name: 'app', argv, cwd: folder, env: process.env, log }, run);
    try {
      await untilReady({ ready, timeout_s, service });
    } finally {
      await endCommand(service, 'SIGKILL', 1000);
      log.close();
    }
  };
  /** @param {number} status */
  const answering = async (status) => {
    const server = createHttpServer((_, response) => response.writeHead(status, { location: '/nowhere' }).end());
    server.listen(0, '127.0.0.1').unref();
    await once(server, 'listening');
    const { port } = /** @type {AddressInfo} */ (server.address());
    return { server, url: `http://127.0.0.1:${port}/` };
  };

  for (const status of [200, 302, 404, 499]) {
    test(`a ${status} is an answer of one that is up`, async (context) => {
      const { server, url } = await answering(status);
      await waitFor(context, url, 5);
      server.close();
    });
  }

  test('a 500 is not', async (context) => {
    const { server, url } = await answering(500);
    await assert.rejects(waitFor(context, url, 6), /was not ready within 6s: http:\S+: it answers 500/);
    server.close();
  });

  test('a server that takes the connection and says nothing is not', async (context) => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = /** @type {AddressInfo} */ (server.address());
    await assert.rejects(waitFor(context, `http://127.0.0.1:${port}/`, 0.5), /was not ready within 500ms/);
    await waitFor(context, `tcp://127.0.0.1:${port}`, 5); // but it takes connections
    server.close();
  });

  test('one that listens on another port is asked where it takes its port from', async (context) => {
    const { run, folder } = await runIn(context);
    const child = `require('node:net').createServer().listen(0, '127.0.0.1')`;
    const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}])`;
    for (const program of [child, parent]) {
      await assert.rejects(startServices(caseWith(program, { ready_timeout: '3s' }), folder, run), {
        message: /^service "app" was not ready within 3s: tcp:/,
        hint: /^It listens on port \d+, not on \d+: does it take its port from PORT \(env = \{ PORT = "\$\{port\}" \}\)\?$/,
      });
    }
    await assert.rejects(
      startServices(caseWith('setInterval(() => {}, 1e3)', { ready_timeout: '500ms' }), folder, run),
      {
        hint: 'If it only needs longer, set ready_timeout in its spec.',
      },
    );
  });

  test('a line of the log may come in pieces', (context) =>
    waitFor(
      context,
      'log:^server .* ready$',
      5,
      'process.stdout.write("server "); setTimeout(() => console.log("is ready"), 200); setInterval(() => {}, 1e3)',
    ));

  test('one that ends with 0 has not stayed in the foreground', async (context) => {
    await assert.rejects(
      waitFor(context, 'tcp://127.0.0.1:9', 5, ''),
      /ended with exit code 0 before it was ready: a service must stay in the foreground/,
    );
  });
});

test('a log that is bounded keeps its start and its end', async (context) => {
  const { run, folder } = await runIn(context);
  const log = openLog(join(folder, 'app.log'), { bounded: true });
  const loop = "for (let i = 0; i < 3e5; i += 1) console.log('again ' + i)";
  const program = `console.log('first'); ${loop}; console.log('last')`;
  const argv = [process.execPath, '-e', program];
  const command = await startCommand({ name: 'app', argv, cwd: folder, env: process.env, log }, run);
  log.close(); // what is still to come is written
  await once(command.child, 'close');
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(log.path, 'utf8');
  assert.match(text, /^first\nagain 0\n/);
  assert.match(text, /again 299999\nlast\n$/);
  assert.match(text, /… \d+ characters left out …/);
  assert.ok(text.length < 1_200_000);
});
