import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { endCommand, startCommand } from '../../dist/base/process/command.js';
import { openLog } from '../../dist/base/process/log.js';
import { readProcess } from '../../dist/base/process/processes.js';
import { inflictFaults } from '../../dist/run/services/inflict-faults.js';
import { startSampler } from '../../dist/run/services/sampler.js';
import { serviceKeeper } from '../../dist/run/services/service-pool.js';
import { startServices } from '../../dist/run/services/services.js';
import { caseWith, runIn } from '../support/services-in.js';
import { until } from '../support/until.js';

/** @import { Services } from '../../dist/run/services/services.js' */

// Has a child, and says so; what it sums up first is CPU time to be seen.
const program = `
  for (const end = Date.now() + 100; Date.now() < end;);
  require('node:child_process').spawn('sleep', ['60']);
  require('node:http').createServer((request, response) => response.end('it is ' + process.pid))
    .listen(process.env.PORT, '127.0.0.1', () => console.log('up'));`;

/**
 * @param {object} fault
 * @returns {any} a case's, that begins at once
 */
const faultOf = (fault) => ({ service: 'app', at_s: 0.2, for_s: 2, recover_within_s: 5, ...fault });

/** @param {number} time */
const always = (time) => () => time;

/** @param {Services} services */
const stateOf = ({ list: [{ running }] }) => readProcess(running.pid)?.state ?? null;

/** @param {Services} services @param {number} [within_ms] short where none is expected, and none is refused either */
const answers = ({ url }, within_ms = 10_000) =>
  fetch(url, { signal: AbortSignal.timeout(within_ms) }).then(
    ({ ok }) => ok,
    () => false,
  );

describe('faults', { concurrency: true }, () => {
  for (const action of /** @type {const} */ (['stop', 'kill'])) {
    test(`${action}: it is down, and then up again, at its time and on its port`, async (context) => {
      const { run, folder } = await runIn(context);
      const services = await startServices(caseWith(program, { ready: 'log:^up' }), folder, run);
      const [service] = services.list;
      const first = service.running;
      const began = Date.now();
      const faults = inflictFaults({ faults: [faultOf({ action })] }, { services, began: () => began }, run);
      await until(
        () => first.exit,
        () => 'it did not end',
      );
      assert.equal(await answers(services), false);
      assert.deepEqual(first.exit, { code: null, signal: action === 'stop' ? 'SIGTERM' : 'SIGKILL' });
      assert.deepEqual(first.processes(), [], 'what it had started has ended too');
      await until(
        () => service.running !== first && service.wanted,
        () => 'it did not come again',
      );
      const [record] = await faults.end(true);
      assert.equal(await (await fetch(services.url)).text(), `it is ${service.running.pid}`);
      assert.equal(services.failure(), null);
      const { index, began: applied, down, up, ready } = record;
      assert.deepEqual([index, record.service, record.action], [0, 'app', action]);
      assert.ok(applied && down && up && ready, JSON.stringify(record));
      assert.ok(applied >= began + 200 && applied <= down && down <= up && up <= ready, JSON.stringify(record));
      assert.ok(up >= began + 2200, 'it stays away as long as it should');
      assert.equal(await readFile(join(folder, 'app.log'), 'utf8'), 'up\nup\n');
      await services.stop();
      assert.deepEqual(service.running.processes(), []);
    });
  }

  test('pause: all its processes stand still, and go on', async (context) => {
    const { run, folder } = await runIn(context);
    const services = await startServices(caseWith(program, { ready: 'log:^up' }), folder, run);
    const { running } = services.list[0];
    const began = Date.now();
    const faults = inflictFaults({ faults: [faultOf({ action: 'pause' })] }, { services, began: () => began }, run);
    await until(
      () => running.processes().every(({ state }) => state === 'T'),
      () => 'it runs',
    );
    assert.equal(running.processes().length, 2);
    assert.equal(await answers(services, 300), false);
    await until(
      () => running.processes().every(({ state }) => state !== 'T'),
      () => 'it stands still',
    );
    assert.equal(await answers(services), true);
    const [{ down, up, ready }] = await faults.end(true);
    // It begins late on a busy machine, and ends when it is due.
    assert.ok(down && up && ready && up - down >= 1000 && ready >= up, JSON.stringify({ down, up, ready }));
    assert.equal(services.list[0].running, running);
    await services.stop();
  });

  test('nothing happens before the load begins, nor after it has ended', async (context) => {
    const { run, folder } = await runIn(context);
    const services = await startServices(caseWith(program), folder, run);
    const { running } = services.list[0];
    const faults = inflictFaults(
      { faults: [faultOf({ action: 'kill', at_s: 0 })] },
      { services, began: () => null },
      run,
    );
    await sleep(300);
    const untouched = { index: 0, service: 'app', action: 'kill', began: null, down: null, up: null, ready: null };
    assert.deepEqual(await faults.end(true), [untouched]);
    assert.equal(running.exit, null);
    await services.stop();
  });

  test('a load that ends early has the service started again at once, for the next round', async (context) => {
    const { run, folder } = await runIn(context);
    const services = await startServices(caseWith(program), folder, run);
    const began = Date.now();
    const long = faultOf({ action: 'kill', at_s: 0, for_s: 60 });
    const faults = inflictFaults({ faults: [long, faultOf({ at_s: 61 })] }, { services, began: () => began }, run);
    await services.list[0].running.exited;
    const [first, second] = await faults.end(true);
    assert.ok(first.ready && second.began === null);
    assert.equal(await answers(services), true);
    await services.stop();
  });

  test('a run that ends during a fault leaves nobody standing still, and starts nobody', async (context) => {
    const { run, folder } = await runIn(context);
    for (const action of ['pause', 'stop']) {
      const services = await startServices(caseWith(program), folder, run);
      const { running } = services.list[0];
      const long = faultOf({ action, at_s: 0, for_s: 60 });
      const faults = inflictFaults({ faults: [long] }, { services, began: always(Date.now()) }, run);
      await until(
        () => running.exit || stateOf(services) === 'T',
        () => 'nothing happened',
      );
      const [{ ready }] = await faults.end(false);
      assert.equal(ready, null);
      assert.notEqual(stateOf(services), 'T');
      assert.equal(services.list[0].running, running);
      await services.stop(); // by its signal, which one that stands still does not hear
      assert.deepEqual(running.exit, { code: null, signal: 'SIGTERM' });
      assert.deepEqual(
        run.notes.filter((/** @type {string} */ note) => note.includes('killed')),
        [],
      );
      assert.deepEqual(running.processes(), []);
    }
  });

  test('services that outlive a case are started anew when a fault has left one down', async (context) => {
    const { run, folder } = await runIn(context);
    const one = { ...caseWith(program), system: 'box', environment: 'kept', restart: 'environment', setup: [] };
    await mkdir(join(folder, 'box', 'kept'), { recursive: true });
    const keeper = serviceKeeper(run);
    const services = await keeper.get(one, folder);
    assert.equal(await keeper.get(one, folder), services);
    const long = faultOf({ action: 'kill', at_s: 0, for_s: 60 });
    const faults = inflictFaults({ faults: [long] }, { services, began: always(Date.now()) }, run);
    await services.list[0].running.exited;
    await faults.end(false);
    assert.equal(await answers(await keeper.get(one, folder)), true);
    await keeper.end();
  });

  test('one that does not come back fails the case, and says after what', async (context) => {
    const { run, folder } = await runIn(context);
    const onlyOnce = `if (require('node:fs').existsSync('was-here')) { console.error('once only'); process.exit(3); }
      require('node:fs').writeFileSync('was-here', ''); ${program}`;
    const services = await startServices(caseWith(onlyOnce), folder, run);
    const faults = inflictFaults(
      { faults: [faultOf({ action: 'stop', at_s: 0 })] },
      { services, began: always(Date.now()) },
      run,
    );
    await assert.rejects(faults.failed, (/** @type {any} */ error) => {
      assert.equal(
        error.message,
        'after the fault at 0s (stop): service "app" ended with exit code 3 before it was ready',
      );
      assert.equal(error.code, 4);
      assert.match(error.record().log_tail, /once only$/);
      return true;
    });
    await faults.end(false);
    await services.stop();
  });

  test('the death of one that was not meant is still a failure', async (context) => {
    const { run, folder } = await runIn(context);
    const services = await startServices(caseWith(program), folder, run);
    const faults = inflictFaults(
      { faults: [faultOf({ action: 'kill', at_s: 0, for_s: 0.1 })] },
      { services, began: always(Date.now()) },
      run,
    );
    const [service] = services.list;
    const first = service.running;
    await until(
      () => service.running !== first && service.wanted,
      () => 'it did not come again',
    );
    process.kill(service.running.pid, 'SIGKILL');
    assert.equal((await services.died).message, 'service "app" was killed by SIGKILL while it was needed');
    await faults.end(false);
    await services.stop();
  });
});

// By itself: whatever else ends in this process would be taken for k6.
test('samples go on with the new process: CPU time never falls, and its absence is not a death', async (context) => {
  const { run, folder } = await runIn(context);
  const services = await startServices(caseWith(program), folder, run);
  const file = join(folder, 'services.ndjson');
  const sampler = startSampler(file, services.list);
  const log = openLog(join(folder, 'k6.log'));
  const k6 = await startCommand({ name: 'k6', argv: ['sleep', '60'], cwd: folder, env: process.env, log }, run);
  sampler.watch([k6]);
  const fault = faultOf({ action: 'kill', at_s: 0, for_s: 1.5 });
  const faults = inflictFaults({ faults: [fault] }, { services, began: always(Date.now()) }, run);
  await until(
    () => services.list[0].running.exit,
    () => 'it did not end',
  );
  await until(
    () => services.list[0].wanted,
    () => 'it did not come again',
  );
  await endCommand(k6, 'SIGTERM', 1000);
  sampler.stop();
  log.close();
  await faults.end(true);
  const ks = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).k6.cpu_ns);
  assert.ok(
    ks.every((cpu_ns) => cpu_ns < 50e6),
    `the CPU time of a service that ended is not k6's: ${ks}`,
  );
  const samples = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).services.app);
  const [first, last] = [samples[0], samples.at(-1)];
  assert.ok(samples.some(({ alive, memory_bytes }) => alive === null && memory_bytes === 0));
  assert.deepEqual(
    samples.map(({ alive }) => alive).filter((alive) => alive === false),
    [],
  );
  assert.deepEqual([first.alive, last.alive], [true, true]);
  for (const counter of ['cpu_ns', 'network_rx_bytes']) {
    const values = samples.map((sample) => sample[counter]);
    assert.deepEqual(
      values,
      [...values].sort((a, b) => a - b),
      counter,
    );
  }
  assert.ok(last.cpu_ns - first.cpu_ns > 80e6, 'the new process counts from its start');
  assert.ok(last.memory_bytes > 1e7 && last.processes >= 1);
  await services.stop();
});
