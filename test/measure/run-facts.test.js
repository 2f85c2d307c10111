import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { liveFigures } from '../../src/generator/live-figures.js';
import { problemsIn } from '../../src/generator/request-failures.js';
import { coresOf, generatorCores } from '../../src/session/cores.js';
import { runnerOf } from '../../src/session/fingerprint.js';
import { caseCommandOf } from '../../src/session/repeat-command.js';
import { unpack } from '../support/archive.js';
import { engines, jqIn } from '../support/engines.js';
import { scratchFolder } from '../support/scratch.js';

test('cores are read like taskset does', () => assert.deepEqual(coresOf('0-2,5'), [0, 1, 2, 5]));

test('k6 gets the cores that pinned services leave, or all', () => {
  assert.deepEqual(generatorCores([{ cpus: '0' }, { cpus: '1' }], [0, 1, 2, 3]), { cores: [2, 3], pinned: true });
  assert.deepEqual(generatorCores([{ cpus: '0' }, { cpus: null }], [0, 1]), { cores: [0, 1], pinned: false });
  assert.deepEqual(generatorCores([{ cpus: '0-1' }], [0, 1]), { cores: [0, 1], pinned: false });
  assert.deepEqual(generatorCores([], [0, 1]), { cores: [0, 1], pinned: false });
});

test('the kind of runner is known from what CI services set', () => {
  assert.equal(runnerOf({}), 'local');
  assert.equal(runnerOf({ CI: 'false' }), 'local');
  assert.equal(runnerOf({ CI: '1' }), 'ci');
  assert.equal(runnerOf({ CI: 'true', GITHUB_ACTIONS: 'true', RUNNER_ENVIRONMENT: 'github-hosted' }), 'github-hosted');
  assert.equal(runnerOf({ CI: 'true', GITHUB_ACTIONS: 'true' }), 'self-hosted');
});

test('the command that repeats a case can be pasted into a shell', () => {
  const one = /** @type {any} */ ({
    system: 'box',
    environment: 'good',
    scenario: 'swept',
    values: { rate: 20 },
    confirm: null,
  });
  const asked = { set: { greeting: "it's; rm -rf ~" }, profile: 'quick', rounds: 3, seed: 5, baseline: 'v1' };
  assert.equal(
    caseCommandOf(one, asked),
    'npx benchfolio run box --env good --scenario swept --profile quick --rounds 3 ' +
      "--seed 5 --baseline v1 --set 'greeting=it'\\''s; rm -rf ~' --set rate=20",
  );
});

test('a live load is read as it is written: of both players, in pieces', () => {
  const folder = scratchFolder('live');
  const [timeline, histograms] = ['timeline', 'histograms'].map((name) => join(folder, `${name}.ndjson`));
  const events = [
    { event: 'param', data: { aggregates: { trend: ['avg', 'med', 'p(95)'] } } },
    { event: 'metric', data: { http_reqs: {}, http_req_duration: {}, http_req_failed: {} } },
    { event: 'snapshot', data: [[2, 9, 7.5], [0.1], [50]] },
    { event: 'metric', data: { dropped_iterations: {} } },
    { event: 'snapshot', data: [[3], [2, 9, 8.5], [0], [50]] },
  ].map((event) => `${JSON.stringify(event)}\n`);
  const live = liveFigures({ folder, folders: [folder], native: false });
  const none = { p50_ms: null, p95_ms: null, requests: 0, errors: 0, dropped: 0, cores: {} };
  assert.deepEqual(live(), none);
  writeFileSync(timeline, events.slice(0, 3).join('') + events[3].slice(0, 10));
  assert.deepEqual(live(), { ...none, p50_ms: 9, p95_ms: 7.5, requests: 50, errors: 5 });
  writeFileSync(timeline, events.join(''));
  assert.deepEqual(live(), { ...none, p50_ms: 9, p95_ms: 8.5, requests: 100, errors: 5, dropped: 3 });

  const trend = { count: 100, sum: 90_000_000, min: 800_000, max: 9_000_000, buckets: [3245, 96, 402, 4] };
  const lines = [
    { sub_bits: 8 },
    {
      counts: { http_reqs: 100, http_req_failed: 3, bench_failed_expectations: 10 },
      times: { http_req_duration: trend },
    },
    { counts: { http_reqs: 4, bench_failed_expectations: 9 } },
    { counts: { dropped_iterations: 2 } },
    { users: 5 },
    { counts: { http_reqs: 2, http_req_failed: 2, bench_failed_expectations: 6 } }, // several of a response
    { users: 5 },
    { total: true, counts: { http_reqs: 100 } },
  ];
  writeFileSync(histograms, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const sample = (/** @type {number} */ t, /** @type {number} */ app, /** @type {number} */ k6) =>
    `${JSON.stringify({ t, services: { app: { cpu_ns: app * 1e6 } }, k6: { cpu_ns: k6 * 1e6 } })}\n`;
  writeFileSync(join(folder, 'services.ndjson'), sample(0, 40, 0) + sample(1000, 540, 20) + sample(3000, 1040, 1020));
  const { p50_ms, p95_ms, ...counts } = liveFigures({ folder, folders: [folder], native: true })();
  assert.deepEqual(counts, { requests: 106, errors: 24, dropped: 2, cores: { app: 0.25, k6: 0.5 } });
  assert.ok(Number(p50_ms) < Number(p95_ms), `${p50_ms} ${p95_ms}`);
});

for (const round of ['round-1', 'round-2'])
  test(`latencies of a real load are shown as the record has them, second by second (${round})`, async () => {
    const whole = join(unpack('raw', 'native'), round, 'histograms.ndjson');
    const folder = scratchFolder(`live-${round}`);
    const file = join(folder, 'histograms.ndjson');
    const [engine] = await engines();
    const program =
      'import "lib/reduce/histograms" as h; [foreach inputs as $line ({}; h::step($line); .out | select(.users))]';
    const rows = JSON.parse(await jqIn(engine, [program, whole]));
    const live = liveFigures({ folder, folders: [folder], native: true });
    let seconds = 0;
    let sum = { requests: 0, errors: 0 };
    for (const line of readFileSync(whole, 'utf8').split('\n').filter(Boolean)) {
      appendFileSync(file, `${line}\n`);
      if (JSON.parse(line).users === undefined) continue;
      const { p50_ms, p95_ms, requests, errors } = live();
      const row = rows[seconds];
      sum = { requests: sum.requests + row.requests, errors: sum.errors + row.failed };
      assert.deepEqual({ requests, errors }, sum);
      for (const [found, expected] of [
        [p50_ms, row.p50],
        [p95_ms, row.p95],
      ])
        if (expected !== null)
          assert.ok(Math.abs(Number(found) - expected) < 1e-9 * expected, `${found}, not ${expected}`);
      seconds += 1;
    }
    assert.equal(seconds, rows.length);
    assert.ok(seconds > 2);
  });

test('how requests failed is read from what k6 logs, each way once', () => {
  const line = (/** @type {string} */ text, level = 'warning') =>
    `time="2026-11-22T01:04:43Z" level=${level} msg=${JSON.stringify(text)} source=console\n`;
  const log = [
    line('benchfolio: a rate: a response has neither Content-Length nor a body that is read', 'info'),
    ...[
      'benchfolio: GET /: status 404',
      'benchfolio: GET /: status 404',
      'benchfolio: POST "a": dial tcp: refused',
      'something else: x',
      `benchfolio: long: ${'x'.repeat(999)}`,
      'benchfolio: one more',
    ].map((text) => line(text)),
  ].join('');
  assert.deepEqual(problemsIn([log, log]), [
    'GET /: status 404',
    'POST "a": dial tcp: refused',
    `long: ${'x'.repeat(194)}`,
  ]);
});
