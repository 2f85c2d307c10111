import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pids, readOrNull } from '../../dist/base/process/processes.js';
import { benchfolio } from '../support/cli.js';
import {
  assertNothingLeft,
  lastRun,
  processIn,
  readJson,
  situations,
  startedIn,
  startRun,
} from '../support/situations.js';
import { until } from '../support/until.js';

// What ends in the middle: a service, k6, the runner.
const goodAndLong = ['--env', 'good', '--scenario', 'long'];

/** A load that nobody waits for the end of. */
const endless = (/** @type {(spec: string) => string} */ edit = (spec) => spec) =>
  situations((spec) => edit(spec.replace('duration = "4s"', 'duration = "10m"')));

/**
 * Waits until k6 has counted something: the one before it, which sends each request once, counts nothing.
 * @param {string} folder
 * @returns {Promise<number>} its pid
 */
async function k6In(folder) {
  await processIn(folder, 'k6');
  const run = await lastRun(folder);
  const counted = () =>
    readdirSync(run, { recursive: true, encoding: 'utf8' }).some(
      (file) => /(histograms|timeline)\.ndjson$/.test(file) && (readOrNull(join(run, file)) ?? '').includes('\n'),
    );
  await until(counted, () => 'k6 counted nothing');
  return processIn(folder, 'k6');
}

describe('in the middle of a round', { concurrency: true }, () => {
  test('a service that dies fails its case: no number, its log', async () => {
    const folder = await endless();
    const run = startRun(folder, [...goodAndLong, '--rounds', '2']);
    await k6In(folder);
    process.kill(Number(await readFile(join(folder, 'specs', 'box', 'good.pid'), 'utf8')), 'SIGKILL');
    const { code, stderr } = await run.done;
    assert.equal(code, 4, stderr);
    const place = join(await lastRun(folder), 'box', 'good', 'long');
    const failure = await readJson(join(place, 'failure.json'));
    assert.equal(failure.reason, 'service "app" was killed by SIGKILL while it was needed');
    assert.match(failure.log_tail, /listening/);
    assert.ok(!existsSync(join(place, 'record.json')));
    assert.deepEqual((await readdir(join(place, 'round-1'))).sort(), ['k6.log']);
    await assertNothingLeft(folder);
  });

  test('k6 killed by somebody fails its case', async () => {
    const folder = await endless();
    const run = startRun(folder, goodAndLong);
    process.kill(await k6In(folder), 'SIGKILL');
    const { code, stderr } = await run.done;
    assert.equal(code, 4, stderr);
    const failure = await readJson(join(await lastRun(folder), 'box', 'good', 'long', 'failure.json'));
    assert.equal(failure.reason, 'k6 was killed by SIGKILL');
    await assertNothingLeft(folder);
  });

  test('a second run in the same folder is refused, and does not disturb the first', async () => {
    const folder = await situations();
    const first = startRun(folder, [...goodAndLong, '--rounds', '3']);
    await k6In(folder);
    const second = await startRun(folder, goodAndLong).done;
    assert.equal(second.code, 2);
    assert.match(second.stderr, new RegExp(`another run is at work in this folder \\(process ${first.child.pid}, `));
    const { code, stderr } = await first.done;
    assert.equal(code, 0, stderr);
    assert.ok(existsSync(join(await lastRun(folder), 'box', 'good', 'long', 'round-1', 'round.json')));
    await assertNothingLeft(folder);
  });

  test('kill -9 of the runner: nothing is left, and a new run works', async () => {
    const folder = await endless();
    const run = startRun(folder, goodAndLong);
    await k6In(folder);
    run.child.kill('SIGKILL');
    await run.done;
    await assertNothingLeft(folder);
    const { code, stderr } = await startRun(folder, ['--env', 'good', '--scenario', 'short']).done;
    assert.equal(code, 0, stderr);
    assert.match(stderr, /the run \S+ was ended from outside/);
    await assertNothingLeft(folder);
  });

  test('kill -9 of the runner and its watchdog: any command ends what is left, and says so', async () => {
    const folder = await endless();
    const run = startRun(folder, [...goodAndLong, '--rounds', '9']);
    await k6In(folder);
    const service = Number(await readFile(join(folder, 'specs', 'box', 'good.pid'), 'utf8'));
    process.kill(await watchdogOf(folder), 'SIGKILL');
    run.child.kill('SIGKILL');
    await run.done;
    assert.ok(startedIn(folder).some((found) => found?.pid === service));
    const { stderr } = await benchfolio(['check'], { cwd: join(folder, 'specs', 'box') });
    assert.match(stderr, /^the run \S+ was ended from outside\n/);
    assert.ok(!existsSync(join(folder, '.bench', 'lock')));
    assert.match(stderr, new RegExp(`killed process ${service} \\(node\\)`));
    await assertNothingLeft(folder);
  });
});

/** @param {string} folder @returns {Promise<number>} its pid: the run's folder is its argument */
async function watchdogOf(folder) {
  const run = await lastRun(folder);
  return until(
    () =>
      pids().find((pid) => {
        const words = (readOrNull(`/proc/${pid}/cmdline`) ?? '').split('\0');
        return words[1]?.endsWith('watchdog.js') && words.includes(run);
      }) ?? 0,
    () => 'no watchdog',
  );
}

describe('interrupted', { concurrency: true }, () => {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    test(`${signal} keeps the rounds that are complete`, async () => {
      const folder = await situations();
      const run = startRun(folder, ['--env', 'good', '--scenario', 'short', '--rounds', '30']);
      await run.says(/round 1 of 30 done/);
      await processIn(folder, 'k6');
      run.child.kill(signal);
      const { code, stderr } = await run.done;
      assert.equal(code, 130, stderr);
      assert.match(stderr, /stopping: rounds that are complete are kept/);
      const place = join(await lastRun(folder), 'box', 'good', 'short');
      const rounds = (await readdir(place)).filter((name) => name.startsWith('round-')); // not one that was disturbed
      const complete = rounds.filter((name) => existsSync(join(place, name, 'round.json')));
      assert.ok(complete.includes('round-1') && complete.length < 30);
      assert.equal((await readJson(join(place, 'record.json'))).rounds, complete.length);
      await assertNothingLeft(folder);
    });
  }

  test('before a round is complete there is no record', async () => {
    const folder = await endless();
    const run = startRun(folder, goodAndLong);
    await k6In(folder);
    run.child.kill('SIGINT');
    assert.equal((await run.done).code, 130);
    assert.ok(!existsSync(join(await lastRun(folder), 'box', 'good', 'long', 'record.json')));
    await assertNothingLeft(folder);
  });

  test('a second Ctrl-C kills at once, and the lock is gone', async () => {
    const folder = await endless((spec) => spec.replace('stop_timeout = "1s"', 'stop_timeout = "60s"'));
    const run = startRun(folder, ['--env', 'ignores-term', '--scenario', 'long']);
    await k6In(folder);
    run.child.kill('SIGINT');
    await run.says(/stopping/);
    run.child.kill('SIGINT');
    assert.equal((await run.done).code, 130);
    assert.ok(!existsSync(join(folder, '.bench', 'lock')));
    await assertNothingLeft(folder);
  });

  test('while a service gets ready', async () => {
    const folder = await situations((spec) => spec.replace('ready_timeout = "4s"', 'ready_timeout = "60s"'));
    const run = startRun(folder, ['--env', 'never-ready', '--scenario', 'short']);
    await processIn(folder, 'node');
    run.child.kill('SIGINT');
    assert.equal((await run.done).code, 130);
    await assertNothingLeft(folder);
  });
});
