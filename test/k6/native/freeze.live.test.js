// A service that freezes: what is due meanwhile waits, and latencies from the intended start have that wait in them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderOf, spawnBenchfolio } from '../../support/cli.js';
import { lastRun, readJson } from '../../support/situations.js';

/** Answers at once, but for two seconds that begin two after its first request; the first of all asks whether it is ready. */
const freezing = `import { createServer } from 'node:http';
let began = 0;
createServer(({ url }, response) => {
  if (url === '/') began ||= performance.now();
  const left = began + 4000 - performance.now();
  setTimeout(() => response.end('ok'), url === '/' && left > 0 && left <= 2000 ? left : 0);
}).listen(process.env.PORT, '127.0.0.1');
`;

test('latencies from the intended start are those that one works out by hand', async () => {
  const spec = `title = "A"
[environments.here]
url = "http://127.0.0.1:\${port}"
[[environments.here.services]]
name = "app"
cwd = "app"
command = ["node", "freezing.mjs"]
env = { PORT = "\${port}" }
ready = "http://127.0.0.1:\${port}/ready"
sampled = false
[scenarios.frozen]
executor = "constant-arrival-rate"
rate = 100
duration = "6s"
preAllocatedVUs = 10
maxVUs = 10
saturation = "expected"
requests = [{ get = "/" }]
`;
  const cwd = await folderOf({
    'bench.toml': '[run]\nrounds = 1\nplayer = "native"\n',
    'specs/a/spec.toml': spec,
    'specs/a/app/freezing.mjs': freezing,
  });
  const { stdout } = await spawnBenchfolio(['run', '--confirm'], { cwd });
  const { metrics, findings } = await readJson(join(await lastRun(cwd), 'a', 'here', 'frozen', 'record.json'));
  // Of 600 requests, one each 10 ms, those 200 that are due in the freeze end with it: after 2,000, 1,990, … 10 ms. Ten
  // users wait for answers meanwhile, and 190 requests are not sent.
  assert.ok(
    Math.abs(metrics.dropped_iterations_ratio.value - 190 / 600) < 0.02,
    metrics.dropped_iterations_ratio.value,
  );
  for (const [name, ms] of /** @type {[string, number][]} */ ([
    ['p90', 1400],
    ['p95', 1700],
    ['p99', 1940],
    ['max', 2000],
  ])) {
    const { value, valid } = metrics[`intended_latency_ms_${name}`];
    assert.ok(valid && Math.abs(value - ms) < 60, `${name}: ${value} ms, not ${ms}`);
  }
  assert.ok(metrics.intended_latency_ms_p50.value < 60);
  // From the actual start nobody sees it: 10 of 410 requests waited.
  assert.ok(metrics.latency_ms_p95.value < 60);
  assert.equal(metrics.latency_ms_p95.reason, 'saturated');
  const { text } = findings.find((/** @type {any} */ { id }) => id === 'saturated');
  assert.match(text, /latencies don't count, those from the intended start, throughput and errors do\.$/);
  assert.match(stdout, /frozen +\S+ +\S+† +1,?[67]\d\d†/);
  assert.match(stdout, /†: from the intended start/);
});
