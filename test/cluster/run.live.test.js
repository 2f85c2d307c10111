// Runs in a real cluster: KUBECONFIG names it, CLUSTER_IMAGE an image with benchfolio that its nodes have, and CLUSTER_HOST where
// its pods reach this machine. `make cluster` gives all three.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { folderOf, root, spawnBenchfolio, startBenchfolio } from '../support/cli.js';
import { ask, prometheusHere, runPrometheus } from '../support/prometheus.js';
import { lastRun, readJson } from '../support/situations.js';
import { until } from '../support/until.js';

/** @import { AddressInfo } from 'node:net' */

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

/** What requests the system under test has answered, and what the newest had with it. */
let answered = 0;
let authorization = '';
const server = createServer((request, response) => {
  answered += 1;
  authorization = request.headers.authorization ?? '';
  response.end('hello');
});

const ownUrl = () => `http://${host}:${/** @type {AddressInfo} */ (server.address()).port}`;

/**
 * @param {{ url?: string, seconds?: number, memory?: string, generators?: string, request?: string, more?: string }} [given] url: of
 *   the system under test; memory: most that a pod may take; generators, request: more keys of these; more: tables
 */
const suite = ({
  url = ownUrl(),
  seconds = load.seconds,
  memory = '1Gi',
  generators = '',
  request = '',
  more = '',
} = {}) =>
  folderOf({
    'bench.toml': '[run]\nrounds = 1\n',
    'specs/shop/spec.toml': `title = "Shop"
[environments.cluster]
url = "${url}"
[environments.cluster.generators.kubernetes]
parallelism = ${pods}
image = "${image}"
resources = { requests = { cpu = "100m", memory = "30Mi" }, limits = { memory = "${memory}" } }
start_timeout = "2m"
${generators}
[scenarios.list]
executor = "constant-arrival-rate"
rate = ${load.rate}
preAllocatedVUs = 20
duration = "${seconds}s"
gracefulStop = "5s"
[[scenarios.list.requests]]
get = "/"
${request}
${more}`,
  });

/** @param {string[]} args */
const cluster = (...args) => execFileSync(kubectl, args, { encoding: 'utf8' }).trim();
const ours = ['--selector=app.kubernetes.io/managed-by=benchfolio', '--output=name'];
const left = () => cluster('get', 'jobs,pods,configmaps,secrets', '--all-namespaces', ...ours);

/** Waits until nothing of ours is in the cluster: it deletes in the background. @param {number} [seconds] */
async function nothingLeft(seconds = 30) {
  for (let i = 0; i < seconds * 2 && left() !== ''; i += 1) await sleep(500);
  assert.equal(left(), '');
}

/** Waits until the load has come so far. @param {number} [requests] */
const loaded = (requests = 1) =>
  until(
    () => answered >= requests,
    () => `${answered} requests came`,
    120_000,
  );

/** @param {string} folder of a suite @returns {Promise<string>} that of its case in the last run */
const placeOf = async (folder) => join(await lastRun(folder), 'shop', 'cluster', 'list');

/** @param {string} folder of a suite @returns {Promise<any>} */
const recordOf = async (folder) => readJson(join(await placeOf(folder), 'record.json'));

/** @param {string} folder of a suite @param {Record<string, string>} [env] */
function start(folder, env) {
  answered = 0;
  return startBenchfolio(['run'], { cwd: folder, env });
}

/**
 * What `merge` makes of what the pods printed, unpacked as the documentation of several machines says.
 * @param {string} folder of the suite
 * @param {readonly string[]} logs of pods
 * @returns {Promise<any>} metrics
 */
async function mergedByHand(folder, logs) {
  const parts = logs.map((log, i) => {
    const part = join(folder, `part-${i + 1}`);
    mkdirSync(part);
    writeFileSync(join(part, 'job.log'), log);
    execFileSync('sh', ['-c', "sed -n 's/^|//p' job.log | base64 -d | tar -xz"], { cwd: part });
    return part;
  });
  const { code, stdout, stderr } = await spawnBenchfolio(['merge', ...parts], { cwd: folder });
  assert.equal(code, 0, stdout + stderr);
  return (await recordOf(folder)).metrics;
}

/** What the pods print, until they are gone. @returns {(() => string)[]} */
const followPods = () =>
  cluster('get', 'pods', ...ours)
    .split('\n')
    .map((pod) => {
      let log = '';
      const child = spawn(kubectl, ['logs', '--follow', pod], { stdio: ['ignore', 'pipe', 'ignore'] });
      child.stdout.on('data', (piece) => (log += piece));
      return () => log;
    });

/** Scrapes the kubelet of the node, through the API server. */
async function scrapeKubelet() {
  const { clusters, users } = JSON.parse(cluster('config', 'view', '--raw', '--output=json'));
  const node = cluster('get', 'nodes', '--output=jsonpath={.items[0].metadata.name}');
  const job = {
    job_name: 'kubelet',
    scheme: 'https',
    metrics_path: `/api/v1/nodes/${node}/proxy/metrics/cadvisor`,
    tls_config: { insecure_skip_verify: true },
    authorization: { credentials: users[0].user.token },
    static_configs: [{ targets: [new URL(clusters[0].cluster.server).host] }],
  };
  return runPrometheus({ global: { scrape_interval: '1s' }, scrape_configs: [job] });
}

/** @param {string} data of a ConfigMap @returns {string} */
function unpacked(data) {
  const packed = Buffer.from(data, 'base64');
  try {
    return gunzipSync(packed).toString('latin1');
  } catch {
    return packed.toString('latin1');
  }
}

describe('load by pods', {
  skip: !image || !KUBECONFIG ? 'CLUSTER_IMAGE and KUBECONFIG name no cluster' : false,
}, () => {
  before(() => once(server.listen(0, '0.0.0.0'), 'listening'));
  after(() => server.close());

  it('ends in one record and a verdict, with what the server has counted', async (context) => {
    const folder = await suite();
    const began = performance.now();
    const { done } = start(folder);
    await loaded();
    const logs = followPods();
    const { code, stdout, stderr } = await done;
    const took_s = (performance.now() - began) / 1000;
    assert.equal(code, 0, stdout + stderr);
    const record = await recordOf(folder);
    assert.equal(record.requests['GET /'].count, answered, 'requests of the record, and of the server');
    const round = await readJson(join(await placeOf(folder), 'round-1', 'round.json'));
    assert.equal(round.instances, pods);
    assert.ok(round.start_skew_ms <= 100, `pods began ${round.start_skew_ms} ms apart`);
    assert.deepEqual(
      await mergedByHand(
        folder,
        logs.map((log) => log()),
      ),
      record.metrics,
      'the same, merged by hand',
    );
    context.diagnostic(`a pod prints ${(logs[0]().length / 1000).toFixed(1)} kB`);
    context.diagnostic(`overhead ${(took_s - load.seconds).toFixed(1)} s; starts ${round.start_skew_ms} ms apart`);
    assert.ok(took_s - load.seconds < overhead_s, `overhead ${took_s - load.seconds} s`);
    await nothingLeft();
  });

  it('takes no more rights than cluster-role prints, and has a secret nowhere but in a Secret', async () => {
    cluster('create', 'namespace', 'load');
    cluster('create', 'serviceaccount', 'ci', '--namespace=load');
    const folder = await suite({
      generators: 'namespace = "load"',
      request: 'headers = { authorization = "Bearer ${env.SHOP_TOKEN}" }',
    });
    const { stdout } = await spawnBenchfolio(['cluster-role', '--namespace', 'load', '--service-account', 'ci'], {
      cwd: folder,
    });
    execFileSync(kubectl, ['apply', '--filename=-'], { input: stdout });
    const kubeconfig = join(folder, 'ci.kubeconfig');
    const all = JSON.parse(cluster('config', 'view', '--raw', '--output=json'));
    const token = cluster('create', 'token', 'ci', '--namespace=load');
    writeFileSync(
      kubeconfig,
      JSON.stringify({ ...all, users: all.users.map((/** @type {any} */ user) => ({ ...user, user: { token } })) }),
    );
    const secret = randomBytes(12).toString('hex');
    const { done } = start(folder, { KUBECONFIG: kubeconfig, SHOP_TOKEN: secret });
    await loaded();
    assert.equal(authorization, `Bearer ${secret}`);
    for (const kind of ['jobs', 'pods', 'configmaps']) {
      const { items } = JSON.parse(cluster('get', kind, '--namespace=load', '--output=json'));
      assert.ok(!JSON.stringify(items).includes(secret), kind);
      for (const { binaryData = {} } of items)
        for (const data of Object.values(binaryData))
          assert.ok(!unpacked(String(data)).includes(secret), 'the archive');
    }
    const { code, stdout: said, stderr } = await done;
    assert.equal(code, 0, said + stderr);
    assert.ok(!(said + stderr).includes(secret));
    const rights = (/** @type {string[]} */ ...args) =>
      spawnSync(kubectl, ['auth', 'can-i', ...args, '--namespace=load'], {
        env: { ...process.env, KUBECONFIG: kubeconfig },
      });
    assert.deepEqual(
      [
        ['get', 'secrets'],
        ['delete', 'pods'],
        ['create', 'pods'],
        ['delete', 'configmaps'],
      ].map((asked) => rights(...asked).status),
      [1, 1, 1, 1],
    );
    await nothingLeft();
  });

  it('knows what the services used, by the queries of the documentation', {
    skip: prometheusHere === null && 'there is no prometheus',
  }, async () => {
    cluster('create', 'namespace', 'shop');
    const serve = 'require("http").createServer((_, r) => r.end("hello")).listen(8080)';
    const api = { name: 'api', image, command: ['node', '-e', serve], resources: { limits: { cpu: '1' } } };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'api-1', namespace: 'shop' },
      spec: { containers: [api] },
    };
    execFileSync(kubectl, ['apply', '--filename=-'], { input: JSON.stringify(pod) });
    cluster('wait', '--for=condition=Ready', 'pod/api-1', '--namespace=shop', '--timeout=60s');
    const address = cluster('get', 'pod/api-1', '--namespace=shop', '--output=jsonpath={.status.podIP}');
    const prometheus = await scrapeKubelet();
    try {
      await until(
        async () => (await ask(prometheus.url, 'container_cpu_usage_seconds_total{namespace="shop"}')).length > 0,
        () => 'the kubelet knows nothing of the pod',
      );
      const page = readFileSync(join(root, 'site', 'content', 'docs', 'in-kubernetes.md'), 'utf8');
      const [, queries] = page.match(/```toml\n(\[environments\.staging\.prometheus\][\s\S]*?)```/) ?? [];
      const more = queries
        .replace('staging', 'cluster')
        .replace('https://prometheus.example.com', prometheus.url)
        .replace('"15s"', '"1s"');
      const folder = await suite({ url: `http://${address}:8080`, seconds: 40, more });
      const { code, stdout, stderr } = await spawnBenchfolio(['run'], { cwd: folder });
      assert.equal(code, 0, stdout + stderr);
      const { metrics, findings } = await recordOf(folder);
      const { services_cpu, services_memory, services_throttled } = metrics;
      assert.ok(services_cpu.value > 0.0005 && services_cpu.value < 1, `${services_cpu.value} cores`);
      assert.ok(services_memory.value > 3e6 && services_memory.value < 1e9, `${services_memory.value} bytes`);
      assert.ok(services_throttled.value >= 0 && services_throttled.value < 1, `${services_throttled.value} cores`);
      // There is no kube-state-metrics here: what nobody counts is not zero.
      const unknown = findings.filter((/** @type {any} */ { id }) => /query|prometheus/.test(id));
      assert.deepEqual(
        unknown.map((/** @type {any} */ finding) => [finding.id, finding.metrics]),
        [['query-empty', ['services_restarts']]],
      );
    } finally {
      await prometheus.stop();
      cluster('delete', 'namespace', 'shop', '--wait=false');
    }
    await nothingLeft();
  });

  it('is an error with the name of the pod that was killed', async () => {
    const folder = await suite();
    const { done } = start(folder);
    await loaded(load.rate);
    const pod = cluster('get', 'pods', ...ours).split('\n')[2];
    cluster('delete', pod, '--grace-period=0', '--force', '--wait=false');
    const { code, stdout, stderr } = await done;
    assert.equal(code, 4, stdout + stderr);
    assert.match(stderr, new RegExp(`${pod.replace('pod/', 'pod ')} .*(deleted|gone)`));
    assert.ok(!existsSync(join(await placeOf(folder), 'record.json')));
    await nothingLeft();
  });

  it('is an error that says which pod had too little memory', async () => {
    const folder = await suite({ memory: '30Mi' });
    const { code, stdout, stderr } = await spawnBenchfolio(['run'], { cwd: folder });
    assert.equal(code, 4, stdout + stderr);
    assert.match(
      stdout.replace(/\s+/g, ' '),
      /pod benchfolio-\w+-\d-\w+ on one ended with signal 9 \(it took more memory than its limit\)/,
    );
    await nothingLeft();
  });

  it('leaves nothing when its runner was killed', async () => {
    const folder = await suite();
    const { child, done } = start(folder);
    await loaded();
    child.kill('SIGKILL');
    await done;
    assert.notEqual(left(), '');
    const { stderr } = await spawnBenchfolio(['check'], { cwd: folder });
    assert.match(stderr, /was ended from outside[\s\S]*deleted job\.batch\/benchfolio-/);
    await nothingLeft();
  });

  it('ends at once when it is interrupted, and leaves nothing', async () => {
    const folder = await suite();
    const { child, done } = start(folder);
    await loaded();
    child.kill('SIGINT');
    const { code, stdout, stderr } = await done;
    assert.equal(code, 130, stdout + stderr);
    await nothingLeft();
  });
});
