// Runs in a real cluster: KUBECONFIG names it, CLUSTER_IMAGE an image with benchfolio that its nodes have, and CLUSTER_HOST where
// its pods reach this machine. `make cluster` gives all three.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderOf, root, spawnBenchfolio } from '../support/cli.js';

const {
  CLUSTER_IMAGE: image,
  CLUSTER_HOST: host = '127.0.0.1',
  KUBECONFIG,
  KUBECTL: kubectl = 'kubectl',
} = process.env;
const pods = 4;
const load = { rate: 40, seconds: 8 };

/** Aim: what a case takes beside its load, in seconds. */
const overhead_s = 10;

/** What requests the system under test has answered. */
let answered = 0;
const server = createServer((_, response) => {
  answered += 1;
  response.end('hello');
});

/** @param {string} [keys] of the scenario */
const suite = (keys = '') =>
  folderOf({
    'bench.toml': '[run]\nrounds = 1\n',
    'specs/shop/spec.toml': `title = "Shop"
[environments.cluster]
url = "http://${host}:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}"
[environments.cluster.generators.kubernetes]
parallelism = ${pods}
image = "${image}"
resources = { requests = { cpu = "100m", memory = "64Mi" } }
start_timeout = "2m"
[scenarios.list]
executor = "constant-arrival-rate"
rate = ${load.rate}
preAllocatedVUs = 20
duration = "${load.seconds}s"
gracefulStop = "5s"
${keys}
[[scenarios.list.requests]]
get = "/"
`,
  });

/** @param {string[]} args */
const cluster = (...args) => execFileSync(kubectl, args, { encoding: 'utf8' }).trim();
const ours = ['--selector=app.kubernetes.io/managed-by=benchfolio', '--output=name'];
const left = () => cluster('get', 'jobs,pods,configmaps,secrets', ...ours);

/** Waits until nothing of ours is in the cluster: it deletes in the background. @param {number} [seconds] */
async function nothingLeft(seconds = 30) {
  for (let i = 0; i < seconds * 2 && left() !== ''; i += 1) await sleep(500);
  assert.equal(left(), '');
}

/** @param {() => boolean} is @param {number} [seconds] */
async function until(is, seconds = 120) {
  for (let i = 0; i < seconds * 10 && !is(); i += 1) await sleep(100);
  assert.ok(is(), 'it did not come to that');
}

/** @param {string} folder of a suite @returns {string} that of its run */
const runOf = (folder) =>
  join(
    folder,
    '.bench',
    'runs',
    readdirSync(join(folder, '.bench', 'runs'))
      .sort()
      .at(-1) ?? '',
  );

/** @param {string} folder */
function start(folder) {
  const child = spawn(process.execPath, [join(root, 'src', 'bin.js'), 'run'], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece));
  return { child, text: () => text, exited: once(child, 'exit') };
}

describe('load by pods', {
  skip: !image || !KUBECONFIG ? 'CLUSTER_IMAGE and KUBECONFIG name no cluster' : false,
}, () => {
  before(() => once(server.listen(0, '0.0.0.0'), 'listening'));
  after(() => server.close());

  it('ends in one record and a verdict, with what the server has counted', async (context) => {
    const folder = await suite();
    answered = 0;
    const began = performance.now();
    const { code, stdout, stderr } = await spawnBenchfolio(['run'], { cwd: folder });
    const took_s = (performance.now() - began) / 1000;
    assert.equal(code, 0, stdout + stderr);
    const place = join(runOf(folder), 'shop', 'cluster', 'list');
    const record = JSON.parse(readFileSync(join(place, 'record.json'), 'utf8'));
    assert.equal(record.requests['GET /'].count, answered, 'requests of the record, and of the server');
    const round = JSON.parse(readFileSync(join(place, 'round-1', 'round.json'), 'utf8'));
    assert.equal(round.instances, pods);
    assert.ok(round.start_skew_ms <= 100, `pods began ${round.start_skew_ms} ms apart`);
    context.diagnostic(`overhead ${(took_s - load.seconds).toFixed(1)} s; starts ${round.start_skew_ms} ms apart`);
    assert.ok(took_s - load.seconds < overhead_s, `overhead ${took_s - load.seconds} s`);
    await nothingLeft();
  });

  it('is an error with the name of the pod that was killed', async () => {
    const folder = await suite();
    const run = start(folder);
    answered = 0;
    await until(() => answered > load.rate);
    const [pod] = cluster('get', 'pods', ...ours).split('\n');
    cluster('delete', pod, '--grace-period=0', '--force', '--wait=false');
    const [code] = await run.exited;
    assert.equal(code, 4, run.text());
    assert.match(run.text(), new RegExp(`${pod.replace('pod/', 'pod ')} .*(deleted|gone|ended)`));
    assert.ok(!existsSync(join(runOf(folder), 'shop', 'cluster', 'list', 'record.json')));
    await nothingLeft();
  });

  it('leaves nothing when its runner was killed', async () => {
    const folder = await suite();
    const run = start(folder);
    answered = 0;
    await until(() => answered > 0);
    process.kill(/** @type {number} */ (run.child.pid), 'SIGKILL');
    await run.exited;
    assert.notEqual(left(), '');
    const { stderr } = await spawnBenchfolio(['check'], { cwd: folder });
    assert.match(stderr, /was ended from outside[\s\S]*deleted job\.batch\/benchfolio-/);
    await nothingLeft();
  });

  it('ends at once when it is interrupted, and leaves nothing', async () => {
    const folder = await suite();
    const run = start(folder);
    answered = 0;
    await until(() => answered > 0);
    process.kill(/** @type {number} */ (run.child.pid), 'SIGINT');
    const [code] = await run.exited;
    assert.equal(code, 130, run.text());
    await nothingLeft();
  });
});
