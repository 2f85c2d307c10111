import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readProcess } from '../../dist/base/process/processes.js';
import { assertNothingLeft, assertNowhere, lastRun, readJson, situations, startRun } from '../support/situations.js';

/** @import { AddressInfo } from 'node:net' */

// One run through all environments: what goes wrong in one must not touch the others.
const secret = 'correct horse battery staple';
const stranger = createServer((_, response) => response.end('somebody else'));
let folder = '';
let run = '';
/** @type {Awaited<ReturnType<typeof startRun>['done']>} */
let outcome;

before(async () => {
  await new Promise((resolve) => stranger.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {AddressInfo} */ (stranger.address());
  folder = await situations((spec) => spec.replaceAll('4711', String(port)));
  outcome = await startRun(folder, ['--env', 'all', '--scenario', 'short', '--confirm'], { BOX_TOKEN: secret }).done;
  run = await lastRun(folder);
});
after(() => stranger.close());

/** @param {string} environment @param {string} name */
const fileOf = (environment, name) => join(run, 'box', environment, 'short', name);
const failureIn = (/** @type {string} */ environment) => readJson(fileOf(environment, 'failure.json'));
const logOf = (/** @type {string} */ environment) => readFile(fileOf(environment, 'app.log'), 'utf8');

test('a run with failures ends with 4, and measures the other cases', async () => {
  assert.equal(outcome.code, 4, outcome.stderr);
  const { cases } = await readJson(join(run, 'run.json'));
  const of = (/** @type {string} */ status) =>
    cases
      .filter((/** @type {any} */ one) => one.status === status)
      .map((/** @type {any} */ one) => one.environment)
      .sort();
  assert.deepEqual(of('error'), [
    'build-fails',
    'exits',
    'missing-program',
    'never-ready',
    'nothing-there',
    'shared',
    'taken',
  ]);
  assert.deepEqual(of('measured'), ['good', 'ignores-term', 'kept', 'leaves-children', 'pinned', 'secret', 'slow']);
  assert.ok(existsSync(fileOf('good', 'record.json')));
  assert.ok(!existsSync(fileOf('never-ready', 'record.json')));
});

test('nothing is left running, whatever it did', () => assertNothingLeft(folder));

test('children that left the session, the environment or the output of their service are ended with it', async () => {
  const files = await readdir(join(folder, 'specs', 'box'));
  const children = files.filter((file) => file.startsWith('child-')).map((file) => Number(file.slice('child-'.length)));
  assert.equal(children.length, 2);
  for (const pid of children) assert.equal(readProcess(pid), null, `${pid} lives`);
});

test('no half-written file is left', async () => {
  const files = await readdir(join(folder, '.bench'), { recursive: true });
  assert.deepEqual(
    files.filter((file) => file.endsWith('.tmp')),
    [],
  );
  assert.ok(!files.includes('lock'));
});

test('a service that is never ready: what it said instead', async () => {
  const failure = await failureIn('never-ready');
  assert.equal(failure.code, 4);
  assert.match(failure.reason, /^service "app" was not ready within 4s: http:\/\/127\.0\.0\.1:\d+\/: it answers 503$/);
  assert.match(failure.log_tail, /listening/);
});

test('a service that exits at once fails at once, with the end of its log', async () => {
  const failure = await failureIn('exits');
  assert.equal(failure.reason, 'service "app" ended with exit code 3 before it was ready');
  assert.equal(failure.log_tail, 'cannot read my configuration');
});

test('a program that is not there', async () => {
  const { reason } = await failureIn('missing-program');
  assert.match(reason, /^service "app" cannot be started: there is no program "no-such-program-\*\*\*"/);
});

test('a build that fails', async () => {
  const failure = await failureIn('build-fails');
  assert.match(failure.reason, /^the build of service "app" failed: .* ended with exit code 9$/);
  assert.equal(failure.log_tail, 'cannot build');
});

test('a port that is taken: who has it', async () => {
  assert.match((await failureIn('taken')).reason, new RegExp(`is taken by process ${process.pid} \\(`));
});

test('a service that ignores its stop signal is killed, and it is said', () => {
  assert.match(outcome.stderr, /service "app" did not end within 1s of SIGTERM: killed/);
});

test('a service gets its environment with its port put in', async () => {
  assert.match(await logOf('good'), /^listening with port \d{5}$/m);
});

test('a secret is used, and is in no file', async () => {
  assert.match(await logOf('secret'), /^listening with \*\*\*$/m);
  await assertNowhere(folder, secret);
  assert.ok(!outcome.stderr.includes(secret) && !outcome.stdout.includes(secret));
});

test('a pinned service runs on its core', async () => {
  assert.match(await logOf('pinned'), /^Cpus_allowed_list:\s+0$/m);
  const { run: header } = await readJson(join(run, 'box', 'pinned', 'short', 'case.json'));
  const { run: unpinned } = await readJson(join(run, 'box', 'good', 'short', 'case.json'));
  // k6 is kept off that core where there is another.
  assert.equal(header.generator_pinned, unpinned.generator_cores > 1);
  assert.equal(header.generator_cores, Math.max(1, unpinned.generator_cores - 1));
});

test('a dead target where nothing is started gets no load', async () => {
  assert.match((await failureIn('nothing-there')).reason, /^before the load, GET \/: .*connection refused$/);
});

test('raw files of a round are complete', async () => {
  const round = join(run, 'box', 'good', 'short', 'round-1');
  // repeated, others: what else ran
  const { started, ended, answers, repeated, others, ...rest } = await readJson(join(round, 'round.json'));
  assert.ok(
    others.every((/** @type {any} */ { name, cpu_ms }) => name && cpu_ms > 0),
    JSON.stringify(others),
  );
  assert.ok(ended - started >= 1000);
  // by k6, which begins a few more at the end when it is late itself
  assert.ok(rest.complete_iterations >= 1, JSON.stringify(rest));
  assert.deepEqual(
    { ...rest, complete_iterations: 50 },
    {
      round: 1,
      part: 1,
      parts: 1,
      k6_exit: 0,
      interrupted_iterations: 0,
      complete_iterations: 50,
      faults: [],
      instances: 1,
      problems: [],
      redirects_stopped: 0,
    },
  );
  const { count, statuses, bodies } = answers['GET /'];
  assert.deepEqual(statuses, { 200: count });
  assert.ok(count >= 1 && bodies.count >= 1 && bodies.distinct === 1, JSON.stringify(answers));
  const lines = (await readFile(join(round, 'services.ndjson'), 'utf8')).trim().split('\n');
  const samples = lines.map((line) => JSON.parse(line));
  assert.ok(samples.length >= 2);
  assert.ok(samples[0].t <= started && samples.at(-1).t >= ended);
  const app = samples.map(({ services }) => services.app);
  for (const { alive, processes, descriptors, memory_bytes } of app) {
    assert.ok(alive && processes === 1 && descriptors > 5 && memory_bytes > 1e7);
  }
  for (const counter of ['cpu_ns', 'network_rx_bytes', 'network_tx_bytes']) {
    assert.ok(
      app.every((sample, i) => i === 0 || sample[counter] >= app[i - 1][counter]),
      counter,
    );
    assert.ok(app.at(-1)[counter] > app[0][counter], counter);
  }
  assert.equal(samples[0].k6.cpu_ns, 0);
  assert.ok(samples.at(-1).k6.cpu_ns > 1e7 && samples.at(-1).machine.cpu_ns > samples[0].machine.cpu_ns);
});
