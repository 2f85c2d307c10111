// One case of each system that has an environment `containers`, the cheapest, with Docker:
//
//   node test/make/in-containers.js
//
// Ends with 1 unless each has a record with what its services used, and nothing is left of it. A base image that is
// neither here nor can be pulled is replaced by one of this machine's own programs, which is made once (after an upgrade:
// docker rmi benchfolio-own).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { labels } from '../../dist/base/process/labelled-containers.js';
import { recordProblem } from '../../dist/records/schema.js';
import { root, spawnBenchfolio } from '../support/cli.js';
import { docker, noDocker } from '../support/containers.js';
import { imageOfOwn } from '../support/own-image.js';
import { lastRun, readJson } from '../support/situations.js';
import { skip } from '../support/skip.js';

/** What is measured of each: the case, its services, and what Prometheus scrapes of them. */
const systems = [
  {
    system: 'bookstore',
    images: ['eclipse-temurin:17-jre', 'postgres:15'],
    name: 'order-creation,heap=256m',
    args: ['--set', 'heap=256m'],
    services: ['app', 'database'],
    metrics: ['heap_bytes_mean', 'order_save_ms_mean'],
  },
  {
    system: 'npm-proxy',
    images: ['node:20-slim'],
    name: 'cached,users=1',
    args: ['--scenario', 'cached', '--set', 'users=1'],
    services: ['proxy'],
    metrics: [],
  },
];
const own = 'benchfolio-own';
const longestPull_ms = 60_000;

const these = `${systems.map(({ system }) => system).join(' and ')} in containers`;

if (noDocker) skip(`${these}: ${noDocker}`);
const started = performance.now();
/** @param {string} text */
const say = (text) => console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`);

const missing = systems.flatMap(({ images }) => images).filter((image) => !isThere(image) && !pull(image));
if (missing.length > 0) makeSubstitutes();

const folder = join(root, '.bench', 'in-containers'); // always the same: images are named by it
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'bench.toml'), '[run]\nrounds = 3\n');
for (const { system, name, args, services, metrics } of systems) {
  const place = join(folder, 'specs', system);
  cpSync(join(root, 'specs', system), place, { recursive: true });
  if (missing.length > 0) edit(join(place, 'spec.toml'), withSubstitutes);
  let outcome;
  for (const rounds of [['--rounds', '1'], []]) {
    outcome = await spawnBenchfolio(['run', system, '--env', 'containers', '--quick', ...args, ...rounds], {
      cwd: folder,
    });
    if (outcome.code !== 3) break; // the machine was busy in the only round: once more, with all
    say(`${system}: ${outcome.stdout.split('\n')[0]}`);
  }
  // A machine that stays busy keeps numbers from counting, and not containers from running.
  assert.ok(outcome?.code === 0 || outcome?.code === 3, `${outcome?.stdout}${outcome?.stderr}`);
  const record = await readJson(join(await lastRun(folder), system, 'containers', name, 'record.json'));
  assert.equal(recordProblem(record), null);
  for (const metric of metrics) assert.ok(record.metrics[metric].value > 0, `${metric} has no value`);
  for (const service of services) {
    const used = record.services[service].metrics;
    const [cpu, memory] = [used.cpu_ms_per_request.value, used.memory_bytes_max.value];
    assert.ok(cpu > 0 && memory > 0, `${system}: ${service} has no CPU time or no memory`);
    say(`${system}: ${service} ${cpu.toFixed(2)} ms of CPU time a request, ${(memory / 1e6).toFixed(0)} MB`);
  }
}

const left = readdirSync(join(folder, '.bench', 'runs')).flatMap((run) =>
  [['container', '--all'], ['network'], ['volume']].map(([kind, ...more]) =>
    docker(kind, 'ls', '--quiet', ...more, '--filter', `label=${labels.run}=${run}`),
  ),
);
assert.deepEqual(left.filter(Boolean), []);
say('no container, network or volume is left');

/** @param {string} image */
function isThere(image) {
  return spawnSync('docker', ['image', 'inspect', image]).status === 0;
}

/** @param {string} image */
function pull(image) {
  return spawnSync('docker', ['pull', '--quiet', image], { timeout: longestPull_ms }).status === 0;
}

function makeSubstitutes() {
  const which = missing.join(', ');
  const lack = isThere(own) ? null : imageOfOwn(own);
  if (lack)
    skip(`${these}: ${which} cannot be pulled, and to make images of this machine's programs ${lack} is missing`);
  docker('build', '--tag', `${own}-postgres`, join(root, 'test', 'fixtures', 'postgres-image'));
  say(`${which} cannot be pulled: images of this machine's own programs`);
}

/** @param {string} spec */
function withSubstitutes(spec) {
  return spec
    .replaceAll(/dockerfile = "[^"]+"/g, `$&, args = { BASE = "${own}" }`)
    .replaceAll('image = "postgres:15"', `image = "${own}-postgres"`);
}

/** @param {string} path @param {(text: string) => string} change */
function edit(path, change) {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
