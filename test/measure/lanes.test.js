// The load lane and the saturation probe of a duet: what one user who waits for each answer never meets.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { duet, repositoryOf, shop } from '../support/commits.js';
import { assertNothingLeft } from '../support/situations.js';

/**
 * Answers after so many milliseconds with one of so many connections; with too many waiting it may end, or answer nothing
 * where more than so many are used.
 */
const server = `
const { pool, most, delay = 5, empty = Infinity } = require('./settings.json');
let free = pool;
const waiting = [];
const answer = (response) => setTimeout(() => {
  response.end(pool - free > empty ? '' : 'ok'.repeat(99));
  const next = waiting.shift();
  if (next) answer(next);
  else free += 1;
}, delay);
require('node:http').createServer((request, response) => {
  if (free > 0) { free -= 1; return answer(response); }
  waiting.push(response);
  if (waiting.length > most) process.exit(7);
}).listen(process.env.PORT, '127.0.0.1');
`;

const scenario = `[scenarios.list]
executor = "constant-arrival-rate"
rate = 60
duration = "30s"
preAllocatedVUs = 20
[[scenarios.list.requests]]
get = "/"
`;

// Twice as slow, or anything else of one user, decides nothing here.
const bench = `[compare]
alpha = 0.5
tolerance = 9
tolerances = { "throughput_rps{lane:saturation}" = 1, "throughput_rps{lane:load}" = 0.5 }
gate = ["latency_ms_p50"]
[duet]
blocks = 2
warmup = "200ms"
duration = "1s"
load = { blocks = 3, warmup = "300ms", duration = "1s", saturation = "1s", users = 20 }
`;

/**
 * @typedef {{ pool: number, most: number, delay?: number, empty?: number }} Settings
 * @param {Settings} base
 * @param {Settings} head
 * @param {string} [spec]
 */
const repository = (base, head, spec = shop + scenario) =>
  repositoryOf(
    { 'bench.toml': bench, 'specs/shop/server.cjs': server, 'specs/shop/spec.toml': spec },
    ...[base, head].map((settings, n) => ({ 'specs/shop/settings.json': JSON.stringify({ ...settings, n }) })),
  );

/** @param {any} json @param {string} name */
const row = (json, name) => json.cases[0].metrics.find((/** @type {any} */ { metric }) => metric === name);

describe('the lanes of a duet', { concurrency: 2 }, () => {
  test('a pool of twenty that becomes one is worse, though one user sees nothing of it', async () => {
    const folder = await repository({ pool: 20, most: 99 }, { pool: 1, most: 99 });
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 1, stdout + stderr);
    const probe = row(json, 'throughput_rps{lane:saturation}');
    assert.deepEqual([probe.verdict, probe.guardrail, probe.tolerance], ['worse', true, 1]);
    assert.ok(probe.ratio < 0.4, JSON.stringify(probe));
    assert.notEqual(row(json, 'latency_ms_p50').verdict, 'worse');
    assert.match(json.cases[0].reason, /^throughput at saturation −/);
    const place = join(folder, '.bench', 'runs', json.run, 'shop', 'local', 'list');
    const record = async (/** @type {string} */ lane, /** @type {string} */ side) =>
      JSON.parse(await readFile(join(place, lane, side, 'record.json'), 'utf8'));
    for (const side of ['base', 'head']) {
      const [load, saturation] = [await record('load', side), await record('saturation', side)];
      assert.deepEqual([load.rounds, saturation.rounds], [3, 3]);
      assert.deepEqual([load.player, saturation.player], ['native', 'native']);
      assert.equal(load.metrics.rate_target_rps.value, 60, 'the own load of the scenario');
      assert.equal(saturation.metrics.users_max.value, 20);
    }
    assert.ok(existsSync(join(place, 'load', 'head', 'round-3', 'round.json')));
    await assertNothingLeft(folder);
  });

  test('a threshold that base meets under load and head misses fails, whatever the tolerance', async () => {
    const thresholds = `[scenarios.list.thresholds]
http_req_duration = { expr = "p(95)<250", min_samples = 20 }
`;
    const spec = shop + scenario.replace('rate = 60', 'rate = 20').replace('[[', `${thresholds}[[`);
    const folder = await repository({ pool: 50, most: 99, delay: 1 }, { pool: 50, most: 99, delay: 500 }, spec);
    await writeFile(
      join(folder, 'bench.toml'),
      bench.replace('tolerance = 9', 'tolerance = 1e6').replace('users = 20', 'users = 2'),
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
    assert.match(json.cases[0].reason, /^http_req_duration p\(95\)<250 under load: 5\d\d, on base [\d.]+(;|$)/);
  });

  test('a head that falls over where base does not fails, and says why', async () => {
    const folder = await repository({ pool: 1, most: 99 }, { pool: 1, most: 9 });
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 1, stdout + stderr);
    assert.match(json.cases[0].reason, /^head fell over at saturation, .*app.* ended with exit code 7/);
    await assertNothingLeft(folder);
  });

  test('a head that answers nothing when it is busy is no pass', async () => {
    const folder = await repository({ pool: 50, most: 99 }, { pool: 50, most: 99, empty: 2 });
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 3, stdout + stderr);
    assert.match(json.cases[0].reason, /^Not the same work (under load|at saturation): request GET \/: /);
    assert.match(json.cases[0].reason, /\[\[accept\]\] change = "shop\/local\/list: answers to request GET \/"\.$/);
  });

  test('sides that cannot run concurrently are loaded one after the other; the same is not worse', async () => {
    const apart = shop.replace(
      '[environments.local]',
      '[environments.local]\nduet = { concurrent = false, reason = "one port" }',
    );
    const users = 'executor = "constant-vus"\nvus = 4\nduration = "30s"\n';
    const thresholds = `[scenarios.list.thresholds]
http_req_duration = "max<0.0001"
http_reqs = ["count>1", "rate>0.1"]
`;
    const spec = apart + scenario.replace(/executor[^[]*/, users + thresholds);
    const folder = await repository({ pool: 5, most: 99 }, { pool: 5, most: 99 }, spec);
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.ok(code === 0 || code === 3, stdout + stderr);
    const rows = json.cases[0].metrics.filter(
      (/** @type {any} */ { metric, guardrail }) => guardrail && metric.includes('{lane:'),
    );
    assert.deepEqual(rows.map((/** @type {any} */ { metric }) => metric).sort(), [
      'errors_ratio{lane:load}',
      'latency_ms_p50{lane:load}',
      'latency_ms_p95{lane:load}',
      'throughput_rps{lane:load}',
      'throughput_rps{lane:saturation}',
    ]);
    for (const { verdict } of rows) assert.notEqual(verdict, 'worse', JSON.stringify(rows));
    const of = json.cases[0].thresholds.filter((/** @type {any} */ { lane }) => lane === 'load');
    assert.deepEqual(
      of.map((/** @type {any} */ { expr, outcome, base, verdict }) => [expr, outcome, base.outcome, verdict]),
      [
        ['max<0.0001', 'missed', 'missed', 'same'],
        ['count>1', 'unknown', 'unknown', null],
        ['rate>0.1', 'met', 'met', 'same'],
        ['value<=0.01', 'met', 'met', 'same'],
      ],
    );
    assert.equal(of[1].reason, 'a count depends on how long is measured');
    const finding = json.cases[0].findings.find((/** @type {any} */ { id }) => id === 'lanes-interleaved');
    assert.match(finding.text, /one side after the other: one port/);
  });

  test("without them, nothing is loaded; whether, is base's to say", async () => {
    const folder = await repositoryOf(
      { 'specs/shop/server.cjs': server, 'specs/shop/spec.toml': shop + scenario },
      { 'bench.toml': bench.replace(/load = .*/, 'load = false'), 'specs/shop/settings.json': '{ "pool": 5 }' },
      { 'bench.toml': bench, 'specs/shop/settings.json': '{ "pool": 6 }' },
    );
    const { json, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.ok(json, stderr);
    assert.equal(row(json, 'throughput_rps{lane:saturation}'), undefined);
    const place = join(folder, '.bench', 'runs', json.run, 'shop', 'local', 'list');
    assert.ok(!(await readdir(place)).includes('load'));
  });
});
