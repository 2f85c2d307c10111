// What is shown of a load while it runs: the same numbers as in its record.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { reduceCase } from '../../dist/records/reduce-case.js';
import { liveFigures } from '../../dist/run/generator/live-figures.js';
import { unpack } from '../support/archive.js';
import { engines, jqIn } from '../support/engines.js';
import { copyOf } from '../support/raw.js';
import { scratchFolder } from '../support/scratch.js';

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

for (const [situation, name] of [
  ['ok', 'timeline.ndjson'],
  ['errors', 'timeline.ndjson'],
  ['mixed', 'timeline.ndjson'],
  ['dropped', 'timeline.ndjson'],
  ['native', 'histograms.ndjson'],
])
  test(`what is shown each second of a real load is in the timeline of its record (${situation})`, async () => {
    const raw = copyOf(situation);
    const timeline = (await reduceCase(raw))?.timeline;
    assert.ok(timeline && timeline.step_s < 1.1);
    const folder = scratchFolder('live');
    const native = name === 'histograms.ndjson';
    const live = liveFigures({ folder, folders: [folder], native });
    /** @type {{ p50_ms: number | null, p95_ms: number | null, responses: number, errors: number, dropped: number }[]} */
    const seconds = [];
    let last = live();
    for (const line of readFileSync(join(raw, 'round-1', name), 'utf8')
      .split('\n')
      .filter(Boolean)) {
      appendFileSync(join(folder, name), `${line}\n`);
      const now = live();
      const { users, event } = JSON.parse(line);
      if (native ? users === undefined : event !== 'snapshot') continue;
      const [requests, errors, dropped] = /** @type {const} */ (['requests', 'errors', 'dropped']).map(
        (key) => now[key] - last[key],
      );
      seconds.push({ ...now, responses: requests - errors, errors, dropped });
      last = now;
    }
    assert.equal(seconds.length, timeline.t.length);
    for (const [i, { p50_ms, p95_ms, ...counts }] of seconds.entries()) {
      const shown = [p50_ms, p95_ms].map((ms) => Number(ms?.toPrecision(4)));
      assert.deepEqual(shown, [timeline.latency_ms_p50[i], timeline.latency_ms_p95[i]]);
      // A record has rates: of the first second, which is some milliseconds longer or shorter, another number.
      const wanted = [timeline.throughput_rps[i], timeline.errors_rps[i], timeline.dropped_rps[i]];
      for (const [at, count] of [counts.responses, counts.errors, counts.dropped].entries())
        assert.ok(Math.abs(count - Number(wanted[at])) <= 0.03 * count, `second ${i}: ${count}, ${wanted[at]}/s`);
    }
  });
