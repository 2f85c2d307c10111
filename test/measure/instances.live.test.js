import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { folderOf, root, spawnBenchfolio } from '../support/cli.js';
import { prometheusHere } from '../support/prometheus.js';
import { assertNothingLeft, lastRun, readJson } from '../support/situations.js';

const users = 8;
const each = 300; // iterations of a user

/** Answers after a while, and writes down what it was asked and which latency the request before had. */
const server = `
const { appendFileSync, writeFileSync } = require('node:fs');
writeFileSync(process.env.LOG, ''); // a round that was disturbed is measured again
require('node:http').createServer((request, response) => {
  const latency = request.headers['x-latency'];
  if (request.url === '/order') appendFileSync(process.env.LOG, (latency ?? 'none') + '\\n');
  setTimeout(() => response.end('ok'), Math.random() ** 3 * 20);
}).listen(process.env.PORT, '127.0.0.1');
`;

/** Tells the server with each request how long the one before took: the raw samples, whoever of the instances has them. */
const script = `
import http from 'k6/http';
import { bench } from '${root}/k6/script.js';
export const { options, handleSummary } = bench;
let latency = null;
export default bench.iteration(() => {
  const headers = latency === null ? {} : { 'x-latency': String(latency) };
  const response = http.get(bench.baseUrl + '/order', { headers, tags: { name: 'order' } });
  bench.expect(response);
  latency = response.timings.duration;
});
`;

/** What Prometheus makes of the histograms that all instances send it. */
const merged = `
[scenarios.order.metrics.merged_p95_s]
query = 'histogram_quantile(0.95, sum(rate(k6_http_req_duration_seconds{case="\${case}", phase="steady"}[$__range])))'
unit = "s"
[scenarios.order.metrics.merged_instances]
query = 'count(count by (instance) (last_over_time(k6_http_req_duration_seconds{case="\${case}"}[1m])))'
`;

/** @param {number} instances @param {{ iterations?: number, more?: string }} [options] iterations: of a user */
const suite = (instances, { iterations = each, more = '' } = {}) =>
  folderOf({
    'bench.toml': '[run]\nrounds = 1\n',
    'specs/shop/server.cjs': server,
    'specs/shop/order.js': script,
    'specs/shop/spec.toml': `
title = "Shop"
[environments.local]
restart = "round"
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
command = ["node", "server.cjs"]
env = { PORT = "\${port}", LOG = "\${spec.dir}/orders.log" }
ready = "http://127.0.0.1:\${port}/"
[scenarios.order]
smoke = false
executor = "per-vu-iterations"
vus = ${users}
iterations = ${iterations}
script = "order.js"
instances = ${instances}
[scenarios.order.thresholds]
iterations = "count==${users * iterations}"
http_req_duration = "p(95)<1000"
${more}`,
  });

/** What the server wrote down: a line a request. @param {string} folder */
const ordersIn = async (folder) =>
  (await readFile(join(folder, 'specs', 'shop', 'orders.log'), 'utf8')).trim().split('\n');

/** @param {string[]} lines @returns {number[]} latencies, ascending */
const latenciesIn = (lines) =>
  lines
    .filter((line) => line !== 'none')
    .map(Number)
    .sort((a, b) => a - b);

/** @param {number[]} values ascending @param {number} p percent */
function percentile(values, p) {
  // as k6 takes it
  const at = (p / 100) * (values.length - 1);
  const [low, high] = [values[Math.floor(at)], values[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

describe('run with instances', () => {
  for (const instances of [1, 4]) {
    test(`${instances}: counts are the server's, percentiles those of all raw samples`, async () => {
      const folder = await suite(instances);
      const { code, stderr, stdout } = await spawnBenchfolio(['run'], { cwd: folder });
      assert.equal(code, 0, stdout + stderr);
      const place = join(await lastRun(folder), 'shop', 'local', 'order');
      const record = await readJson(join(place, 'record.json'));
      const log = await ordersIn(folder);

      assert.equal(log.length, users * each);
      assert.equal(record.metrics.throughput_rps.count, log.length);
      assert.equal(record.metrics.iterations_rps.count, log.length);
      assert.equal(record.metrics.users_max.value, users);
      const counted = record.thresholds.find((/** @type {any} */ { metric }) => metric === 'iterations');
      assert.deepEqual([counted.observed, counted.outcome], [log.length, 'met']);

      // All but each user's last: 8 of 2,400.
      const raw = latenciesIn(log);
      assert.equal(raw.length, users * (each - 1));
      assert.equal(record.distribution.count, log.length);
      assert.ok(
        instances === 1 ? record.distribution.error === 0 : record.distribution.error < 0.5,
        String(record.distribution.error),
      );
      for (const [metric, p] of /** @type {const} */ ([
        ['latency_ms_p50', 50],
        ['latency_ms_p95', 95],
        ['latency_ms_p99', 99],
      ])) {
        const [merged, low, high] = [
          record.metrics[metric].value,
          percentile(raw, p - 0.5),
          percentile(raw, Math.min(p + 0.5, 100)),
        ];
        const error = record.distribution.error;
        assert.ok(
          merged >= low * (1 - error) && merged <= high * (1 + error),
          `${metric} ${merged}, raw ${low} to ${high}, error ${error}`,
        );
      }
      const folders = (await readdir(join(place, 'round-1'))).filter((name) => name.startsWith('instance-'));
      assert.equal(folders.length, instances === 1 ? 0 : instances);
      await assertNothingLeft(folder);
    });
  }

  const skip = prometheusHere ? false : 'prometheus is not on PATH: apt-get install prometheus';
  test('a Prometheus gets one distribution of all, within the resolution of its histograms', { skip }, async () => {
    const folder = await suite(4, { iterations: 1000, more: merged });
    const { code, stderr, stdout } = await spawnBenchfolio(['run'], { cwd: folder });
    assert.equal(code, 0, stdout + stderr);
    const record = await readJson(join(await lastRun(folder), 'shop', 'local', 'order', 'record.json'));
    assert.equal(record.metrics.merged_instances.value, 4, stdout);
    const raw = latenciesIn(await ordersIn(folder));
    // k6's native histograms have buckets that grow by 1.1; the last second may come after the question.
    const ratio = (record.metrics.merged_p95_s.value * 1000) / percentile(raw, 95);
    assert.ok(
      ratio > 1 / 1.15 && ratio < 1.15,
      `${record.metrics.merged_p95_s.value} s, raw ${percentile(raw, 95)} ms`,
    );
    await assertNothingLeft(folder);
  });

  test('one that fails ends the round, and all of them', async () => {
    const folder = await suite(3);
    await writeFile(
      join(folder, 'specs', 'shop', 'order.js'),
      script
        .replace(
          'bench.iteration(() => {',
          "bench.iteration(() => { if (__ITER === 20 && __VU === 1) throw new Error('stop');",
        )
        .replace('let latency', "import exec from 'k6/execution';\nlet latency")
        .replace("throw new Error('stop')", "exec.test.abort('it is enough')"),
    );
    const { code, stdout } = await spawnBenchfolio(['run'], { cwd: folder });
    assert.equal(code, 4, stdout);
    assert.match(stdout, /the script stopped the test/);
    await assertNothingLeft(folder);
  });
});
