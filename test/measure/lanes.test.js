// The load lane and the saturation probe of a duet: what each side gets, and what one user who waits for each answer never meets.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { duet, repositoryOf } from '../support/commits.js';
import { benchOf, poolRepository, rowOf, scenario, server } from '../support/pool-service.js';
import { shop } from '../support/shop.js';
import { assertNothingLeft } from '../support/situations.js';

// With this alpha no ratio is decided, on any machine.
const alpha = 1e-9;

describe('the lanes of a duet', { concurrency: 2 }, () => {
  test('both sides have the own load of the scenario, and as many users as the probe has', async () => {
    const folder = await poolRepository(alpha, { pool: 20, most: 99 }, { pool: 19, most: 99 });
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 3, stdout + stderr);
    const probe = rowOf(json, 'throughput_rps{lane:saturation}');
    assert.deepEqual([probe.verdict, probe.guardrail, probe.tolerance], ['unclear', true, 1]);
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
    const [{ measured, measured_lane }] = json.cases;
    const { throughput_rps } = (await record('load', 'head')).metrics;
    assert.deepEqual(
      [measured_lane, measured.throughput_rps.value],
      ['load', throughput_rps.value],
      'as readers know it',
    );
    assert.ok(existsSync(join(place, 'load', 'head', 'round-3', 'round.json')));
    await assertNothingLeft(folder);
  });

  test('both sides live once more for a long time: what grows with each request is seen there', async () => {
    const bench = benchOf(alpha)
      .replace('age = false', 'age = "8s"')
      .replace(/load = .*/, (load) => load.replace('3', '2'));
    const sides = [
      { pool: 20, most: 999 },
      { pool: 20, most: 999, leak: 100_000 },
    ];
    // As many users as are due in three seconds: with fewer a stall saturates the case, and its latency does not count.
    const many = scenario.replace('preAllocatedVUs = 20', 'preAllocatedVUs = 200');
    const folder = await poolRepository(alpha, sides[0], sides[1], shop + many, bench);
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 3, stdout + stderr);
    const growth = rowOf(json, 'memory_growth_bytes{lane:age}');
    assert.equal(growth.reason, null);
    assert.deepEqual([growth.unit, growth.scale, growth.guardrail], ['bytes', 'difference', true]);
    assert.ok(growth.ratio > 20e6, `of 100 MB with 1,000 requests: ${JSON.stringify(growth)}`);
    // Of base alone nothing is certain: what it collects after its start is some 20 MB by 1,000 requests in so few seconds.
    assert.ok(growth.base < growth.head / 2, JSON.stringify(growth));
    const slower = rowOf(json, 'latency_growth_ratio{lane:age}');
    assert.ok(slower.ratio > 0, JSON.stringify(slower));
    assert.equal(rowOf(json, 'errors_ratio{lane:age}').ratio, 0);
    const place = join(folder, '.bench', 'runs', json.run, 'shop', 'local', 'list', 'age');
    const { age, rounds, window } = JSON.parse(await readFile(join(place, 'head', 'record.json'), 'utf8'));
    assert.deepEqual([rounds, window.seconds, age.requests.length > 5], [1, 8, true]);
    await assertNothingLeft(folder);
  });

  test('a head that falls over where base does not fails, and says why', async () => {
    const folder = await poolRepository(alpha, { pool: 1, most: 99 }, { pool: 1, most: 9 });
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 1, stdout + stderr);
    assert.match(json.cases[0].reason, /^head fell over (at saturation|under load), .*app.* ended with exit code 7/);
    await assertNothingLeft(folder);
  });

  test('a base that falls over too keeps a head from failing, where one is measured after the other', async () => {
    const apart = shop.replace(
      '[environments.local]',
      '[environments.local]\nduet = { concurrent = false, reason = "one port" }',
    );
    const folder = await poolRepository(alpha, { pool: 1, most: 9 }, { pool: 1, most: 9 }, apart + scenario);
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 3, stdout + stderr);
    const fell = json.cases[0].findings.filter((/** @type {any} */ { id }) => id === 'fell-over');
    const sides = fell.map((/** @type {any} */ { text }) => text.split(' ')[0]);
    assert.deepEqual(sides.sort(), ['base', 'head'], JSON.stringify(fell));
  });

  test('a head that answers nothing when it is busy is no pass', async () => {
    const folder = await poolRepository(
      alpha,
      { pool: 50, most: 99, delay: 50 },
      { pool: 50, most: 99, delay: 50, empty: 2 },
    );
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 3, stdout + stderr);
    assert.match(json.cases[0].reason, /^Not the same work (under load|at saturation): request GET \/: /);
    assert.match(
      json.cases[0].reason,
      /\[\[accept\]\] change = "shop\/local\/list: answers to request GET \/: mean size .* B"\.$/,
    );
  });

  test('sides that cannot run concurrently are loaded one after the other', async () => {
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
    const folder = await poolRepository(alpha, { pool: 5, most: 99 }, { pool: 5, most: 99 }, spec);
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 3, stdout + stderr);
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
      {
        'bench.toml': benchOf(alpha).replace(/load = .*/, 'load = false'),
        'specs/shop/settings.json': '{ "pool": 5 }',
      },
      { 'bench.toml': benchOf(alpha), 'specs/shop/settings.json': '{ "pool": 6 }' },
    );
    const { json, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.ok(json, stderr);
    assert.equal(rowOf(json, 'throughput_rps{lane:saturation}'), undefined);
    const place = join(folder, '.bench', 'runs', json.run, 'shop', 'local', 'list');
    assert.ok(!(await readdir(place)).includes('load'));
  });
});
