import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { readProcess } from '../../dist/base/process/processes.js';
import { findTool } from '../../dist/base/tools/find-tool.js';
import { loadClock } from '../../dist/run/generator/load-start.js';
import { folderOf } from '../support/cli.js';
import { assertNothingLeft, lastRun, processIn, readJson, situations, startRun } from '../support/situations.js';
import { until } from '../support/until.js';

const faulty = ['--env', 'good', '--scenario', 'faulty'];
const placeOf = async (/** @type {string} */ folder) => join(await lastRun(folder), 'box', 'good', 'faulty');

/**
 * Has one fault in place of all, that lasts.
 * @param {string} action
 * @returns {Promise<string>} the suite's folder
 */
const lasting = (action) =>
  situations((spec) =>
    spec.replace(
      /^faults = \[.*?^\]/ms,
      `faults = [{ at = "0s", service = "app", action = "${action}", for = "5s", recover_within = "1s" }]`,
    ),
  );

/** @param {string} folder @returns {Promise<number>} the pid of its service */
const serviceOf = async (folder) => Number(await readFile(join(folder, 'specs', 'box', 'good.pid'), 'utf8'));

describe('faults in a run', { concurrency: 2 }, () => {
  test('each has its time after the start of the load, and the round says what it did', async () => {
    const folder = await situations();
    const { code, stderr } = await startRun(folder, faulty).done;
    const place = await placeOf(folder);
    const { faults, started, ended } = await readJson(join(place, 'round-1', 'round.json'));
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      faults.map((/** @type {any} */ { index, service, action }) => [index, service, action]),
      [
        [0, 'app', 'stop'],
        [1, 'app', 'kill'],
        [2, 'app', 'pause'],
      ],
    );
    for (const { began, down, up, ready } of faults) {
      assert.ok(started < began && began <= down && down < up && up <= ready && ready < ended, JSON.stringify(faults));
    }
    const [first, ...others] = faults.map((/** @type {any} */ { began }) => began);
    for (const [i, began] of others.entries()) {
      const late = began - first - 2500 * (i + 1); // it may be early where the first was late
      assert.ok(late > -1000 && late < 1000, `${late} ms`);
    }
    assert.equal((await readFile(join(place, 'app.log'), 'utf8')).match(/^listening/gm)?.length, 3);
    assert.match(stderr, /1s after the start of the load: stop "app" for 500ms\n/);
    await assertNothingLeft(folder);
  });

  for (const action of ['pause', 'stop']) {
    test(`Ctrl-C during a ${action} ends the run, and who stood still`, async () => {
      const folder = await lasting(action);
      const run = startRun(folder, faulty);
      await run.says(new RegExp(`${action} "app" for 5s`));
      run.child.kill('SIGINT');
      const { code, stderr } = await run.done;
      assert.equal(code, 130, stderr);
      assert.doesNotMatch(stderr, /did not end within/);
      await assertNothingLeft(folder);
    });
  }

  test('kill -9 of the runner during a pause: nothing is left', async () => {
    const folder = await lasting('pause');
    const run = startRun(folder, faulty);
    await run.says(/pause "app" for 5s/);
    const service = await serviceOf(folder);
    await until(
      () => readProcess(service)?.state === 'T',
      () => 'it runs',
    );
    run.child.kill('SIGKILL');
    await run.done;
    await assertNothingLeft(folder);
  });

  for (const action of ['pause', 'kill']) {
    test(`a k6 that is killed during a ${action} fails the case, and leaves nothing`, async () => {
      const folder = await lasting(action);
      const run = startRun(folder, faulty);
      await run.says(new RegExp(`${action} "app" for 5s`));
      process.kill(await processIn(folder, 'k6'), 'SIGKILL');
      const { code, stderr } = await run.done;
      assert.equal(code, 4, stderr);
      assert.equal((await readJson(join(await placeOf(folder), 'failure.json'))).reason, 'k6 was killed by SIGKILL');
      await assertNothingLeft(folder);
    });
  }

  test('one that does not get ready again fails the case with 4', async () => {
    const folder = await lasting('stop');
    const spec = join(folder, 'specs', 'box', 'spec.toml');
    const text = (await readFile(spec, 'utf8')).replace(
      'command = ["node", "server.js"]',
      'command = ["node", "-e", "require(\'node:fs\').existsSync(\'good.pid\') ? process.exit(3) : import(\'./server.js\')"]',
    );
    await writeFile(spec, text.replace('for = "5s"', 'for = "100ms"'));
    const { code, stderr } = await startRun(folder, faulty).done;
    assert.equal(code, 4, stderr);
    const { reason, log_tail } = await readJson(join(await placeOf(folder), 'failure.json'));
    assert.equal(reason, 'after the fault at 0s (stop): service "app" ended with exit code 3 before it was ready');
    assert.match(log_tail, /listening/);
    await assertNothingLeft(folder);
  });
});

test('the start of the load is known, whatever a script does before', async () => {
  const script = `
    import exec from 'k6/execution';
    import { sleep } from 'k6';
    export const options = { scenarios: { it: { executor: 'constant-vus', vus: 2, duration: '2s' } } };
    export function setup() { sleep(0.7); }
    export default function () { console.error('began ' + exec.scenario.startTime); sleep(1); }`;
  const folder = await folderOf({ 'it.js': script });
  const { path } = await findTool('k6');
  const k6 = spawn(path, ['run', '--no-usage-report', '--no-color', join(folder, 'it.js')]);
  const clock = loadClock();
  clock.ask(/** @type {any} */ ({ pid: k6.pid, exit: null }));
  createInterface({ input: k6.stdout }).on('line', (line) => clock.read(line));
  let printed = '';
  k6.stderr.setEncoding('utf8').on('data', (text) => (printed += text));
  await until(
    () => k6.exitCode !== null,
    () => 'k6 goes on',
  );
  const real = Number(printed.match(/began (\d+)/)?.[1]);
  // A tenth of a second where the machine is idle; setup() took seven.
  assert.ok(Math.abs(Number(clock.began()) - real) <= 500, `${clock.began()} rather than ${real}`);
});
