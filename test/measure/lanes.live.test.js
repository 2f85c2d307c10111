// What the load lane and the saturation probe of a duet find, by real loads.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { duet, repositoryOf } from '../support/commits.js';
import { benchOf, poolRepository, rowOf, scenario } from '../support/pool-service.js';
import { scratchFolder } from '../support/scratch.js';
import { shop } from '../support/shop.js';
import { assertNothingLeft } from '../support/situations.js';

const alpha = 0.5;

describe('the lanes of a duet', { concurrency: 2 }, () => {
  test('a pool of twenty that becomes one is worse, though one user sees nothing of it', async () => {
    const folder = await poolRepository(alpha, { pool: 20, most: 99 }, { pool: 1, most: 99 });
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 1, stdout + stderr);
    const probe = rowOf(json, 'throughput_rps{lane:saturation}');
    assert.deepEqual([probe.verdict, probe.guardrail, probe.tolerance], ['worse', true, 1]);
    assert.ok(probe.ratio < 0.4, JSON.stringify(probe));
    assert.notEqual(rowOf(json, 'latency_ms_p50').verdict, 'worse');
    assert.match(json.cases[0].reason, /^throughput at saturation −/);
    await assertNothingLeft(folder);
  });

  test('a threshold that base meets under load and head misses fails, whatever the tolerance', async () => {
    const thresholds = `[scenarios.list.thresholds]
http_req_duration = { expr = "p(95)<250", min_samples = 20 }
`;
    const spec = shop + scenario.replace('rate = 60', 'rate = 20').replace('[[', `${thresholds}[[`);
    const folder = await poolRepository(
      alpha,
      { pool: 50, most: 99, delay: 1 },
      { pool: 50, most: 99, delay: 500 },
      spec,
    );
    await writeFile(
      join(folder, 'bench.toml'),
      benchOf(alpha).replace('tolerance = 9', 'tolerance = 1e6').replace('users = 20', 'users = 2'),
    );
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 1, stdout + stderr);
    const of = json.cases[0].thresholds.filter((/** @type {any} */ { lane }) => lane === 'load');
    assert.deepEqual(
      of.map((/** @type {any} */ { outcome, base, verdict }) => [outcome, base.outcome, verdict]),
      [
        ['missed', 'met', 'worse'],
        ['met', 'met', 'same'],
      ],
    );
    assert.match(json.cases[0].reason, /^http_req_duration p\(95\)<250 under load: 5\d\d ms, on base [\d.]+ ms(;|$)/);
  });

  test('a timer of TCP that one user of both sides waits for is named, and the load lane decides', async () => {
    // A timer of TCP comes as the kernel likes, so that this server waits as long by itself: with one user, in each second start.
    const starts = join(scratchFolder('starts'), 'VERSION');
    const server = `const { appendFileSync, statSync } = require('node:fs');
let [connections, requests, wait] = [0, 0, 5];
require('node:http').createServer((request, response) => {
  requests += 1;
  if (requests === 20 && connections === 1) {
    appendFileSync('${starts}', '.');
    if (statSync('${starts}').size % 2) wait = 42;
  }
  setTimeout(() => response.end('hello'), wait);
}).on('connection', (socket) => {
  connections += 1;
  socket.on('close', () => { connections -= 1; });
}).listen(process.env.PORT, '127.0.0.1');
`;
    const folder = await repositoryOf(
      {
        'bench.toml': benchOf(alpha).replace('blocks = 3', 'blocks = 7'),
        'specs/shop/spec.toml':
          shop + scenario.replace('rate = 60', 'rate = 200').replace('preAllocatedVUs = 20', 'preAllocatedVUs = 100'),
      },
      { 'specs/shop/server.cjs': server.replaceAll('VERSION', '1') },
      { 'specs/shop/server.cjs': server.replaceAll('VERSION', '2') },
    );
    const { stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    const [one] = json?.cases ?? assert.fail(stdout + stderr);
    const ids = one.findings.map((/** @type {any} */ { id }) => id);
    assert.ok(ids.includes('delayed-acknowledgments') && ids.includes('rests-on-load'), JSON.stringify(one.findings));
    assert.deepEqual([rowOf(json, 'latency_ms_p50')?.gated ?? false], [false], 'one user says nothing of the code');
    const median = rowOf(json, 'latency_ms_p50{lane:load}');
    assert.deepEqual([median.gated, median.guardrail ?? false], [true, false]);
  });
});
