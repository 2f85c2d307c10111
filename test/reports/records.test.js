// What a record says: its numbers against those that k6 and the operating system gave.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordText } from '../../dist/records/record-text.js';
import { recordProblem } from '../../dist/records/schema.js';
import { archivesOf } from '../support/archive.js';
import { engines } from '../support/engines.js';
import { full } from '../support/full.js';
import { longCase } from '../support/long-case.js';
import { close, copyOf, edit, rawOf, readJson, readLines, recordOf, reduceIn } from '../support/raw.js';

const all = await engines();
const [engine] = all;
const countOf = (/** @type {any} */ metrics) => {
  const { passes, fails } = metrics['http_req_failed{phase:steady}'].values;
  return passes + fails;
};

/** In jq 1.6 a reduction takes seconds: `make simulate` tries all. */
const sampled = ['ok'];

for (const situation of archivesOf('raw')) {
  test(`raw/${situation}: every jq makes the record that is kept beside it, valid by its schema`, async () => {
    const golden = recordOf(situation);
    for (const one of all.filter((other) => other === engine || full || !other.slow || sampled.includes(situation))) {
      const record = await reduceIn(one, rawOf(situation));
      assert.deepEqual(record, golden, one.name);
      assert.equal(recordProblem(record), null);
    }
  });
}

test('rates are counts by the window, not by the run; shares are of requests', async () => {
  const { metrics, window } = recordOf('warmup');
  const summaries = [1, 2].map((round) => readJson(join(rawOf('warmup'), `round-${round}`, 'summary.json')).metrics);
  const counts = summaries.map((one) => countOf(one));
  assert.deepEqual([window.from_s, window.to_s, window.seconds], [2, 4, 4]);
  close(metrics.throughput_rps.value, (counts[0] + counts[1]) / 4);
  const { samples } = metrics.throughput_rps;
  samples.forEach((/** @type {number} */ sample, /** @type {number} */ i) => {
    close(sample, counts[i] / 2);
  });
  for (const one of summaries) assert.ok(one['iterations{phase:steady}'].values.rate < 60, 'k6 divides by the run');
  close(metrics.rate_target_rps.value, 100);
});

test('the warm-up is not in the latencies: it was ten times slower', async () => {
  const record = recordOf('warmup');
  assert.ok(record.timeline.latency_ms_p50[0] > 3, 'the timeline shows it');
  assert.deepEqual(record.timeline.phase_steady, [2, 4]);
  const p50s = [1, 2].map(
    (round) =>
      readJson(join(rawOf('warmup'), `round-${round}`, 'summary.json')).metrics['http_req_duration{phase:steady}']
        .values['p(50)'],
  );
  const { samples, value } = record.metrics.latency_ms_p50;
  samples.forEach((/** @type {number} */ p50, /** @type {number} */ i) => {
    close(p50, p50s[i]);
  });
  assert.ok(value >= Math.min(...p50s) && value <= Math.max(...p50s));
});

test('latencies of two rounds are merged by counts: as many lie below the merged quantile as should', async () => {
  const record = recordOf('ok');
  const rounds = [1, 2].map(
    (round) =>
      readJson(join(rawOf('ok'), `round-${round}`, 'summary.json')).metrics['http_req_duration{phase:steady}'].values,
  );
  const shareBelow = (/** @type {Record<string, number>} */ values, /** @type {number} */ x) => {
    const grid = record.distribution.p.map((/** @type {number} */ p) => [p, values[`p(${p})`]]);
    const above = grid.findIndex((/** @type {number[]} */ [, value]) => value > x);
    const [[p0, v0], [p1, v1]] = [grid[above - 1], grid[above]];
    return p0 + ((x - v0) / (v1 - v0)) * (p1 - p0);
  };
  const total = rounds[0].count + rounds[1].count;
  for (const p of [50, 90, 95, 99]) {
    const { value } = record.metrics[`latency_ms_p${p}`];
    const share = rounds.reduce((sum, values) => sum + (values.count / total) * shareBelow(values, value), 0);
    assert.ok(Math.abs(share - p) < 1e-3, `p${p}: ${share} %`);
  }
  assert.equal(record.distribution.count, total);
  close(record.metrics.latency_ms_max.value, Math.max(...rounds.map(({ max }) => max)));
  assert.ok(record.distribution.error > 0 && record.distribution.error < 0.5);
});

test('CPU time is interpolated at the edges of the window', async () => {
  const record = recordOf('ok');
  const used = [1, 2].map((round) => {
    const folder = join(rawOf('ok'), `round-${round}`);
    const lines = readLines(join(folder, 'services.ndjson'));
    const started = readJson(join(folder, 'summary.json')).metrics.bench_started.values.min;
    const at = (/** @type {number} */ t) => {
      const i = lines.findIndex((line) => line.t >= t);
      const [a, b] = [lines[i - 1], lines[i]];
      return a.services.app.cpu_ns + ((t - a.t) / (b.t - a.t)) * (b.services.app.cpu_ns - a.services.app.cpu_ns);
    };
    return (at(started + 3000) - at(started)) / 1e6;
  });
  const { samples } = record.metrics.cpu_ratio_mean;
  samples.forEach((/** @type {number} */ cores, /** @type {number} */ i) => {
    close(cores, used[i] / 3000);
  });
  close(record.metrics.cpu_ms_per_request.value, (used[0] + used[1]) / record.metrics.requests_rps.count);
  assert.deepEqual(record.services.app.metrics.cpu_ratio_mean, record.metrics.cpu_ratio_mean);
});

test('parts of a cut round are one round: one sample, the windows added up', async () => {
  const record = recordOf('parts');
  assert.equal(record.rounds, 1);
  assert.equal(record.metrics.latency_ms_p95.samples.length, 1);
  assert.equal(record.window.seconds, 4);
  const summaries = [1, 2].map((part) => readJson(join(rawOf('parts'), `round-1.${part}`, 'summary.json')));
  const counts = summaries.map(({ metrics }) => countOf(metrics));
  close(record.metrics.requests_rps.value, (counts[0] + counts[1]) / 4);
  assert.ok(record.timeline.t.at(-1) > 5, 'both parts are on the timeline');
});

test('requests by name, with the share that they had and the weight they should have', async () => {
  const record = recordOf('mixed');
  assert.deepEqual(Object.keys(record.requests).sort(), ['B', 'GET /a']);
  assert.equal(record.requests.B.weight, 1);
  const { B, 'GET /a': a } = record.requests;
  close(B.share, Number((B.count / (B.count + a.count)).toPrecision(4)));
  assert.equal(record.requests.B.metrics.latency_ms_p95.count, record.requests.B.count);
});

test('iterations that end by count: the window ends with the last', async () => {
  const record = recordOf('counted');
  const ends = [1, 2]
    .map((round) => readJson(join(rawOf('counted'), `round-${round}`, 'summary.json')).metrics)
    .map((metrics) => metrics.bench_ended.values.max - metrics.bench_started.values.min);
  close(record.window.seconds, (ends[0] + ends[1]) / 1000);
  assert.equal(record.metrics.rate_achieved_ratio.value, null);
  assert.equal(record.metrics.rate_achieved_ratio.reason, 'the scenario asks for no rate');
});

test('responses that were not expected are errors, and not throughput', async () => {
  const { metrics, verdict } = recordOf('errors');
  assert.equal(verdict, 'fail');
  const { value, samples } = metrics.errors_ratio;
  assert.ok(value > 0.15 && value < 0.45, `${value}`);
  assert.equal(samples.length, 2);
  close(metrics.throughput_rps.value, metrics.requests_rps.value * (1 - value));
  assert.equal(metrics.status_errors_ratio.value, value);
  assert.equal(metrics.network_errors_ratio.value, 0);
});

test('a failed expectation is an error and no throughput, though its status was fine', async () => {
  const folder = copyOf('ok');
  for (const round of [1, 2]) {
    edit(join(folder, `round-${round}`, 'summary.json'), (summary) => {
      summary.metrics['bench_failed_expectations{phase:steady}'] = { type: 'counter', values: { count: 30, rate: 10 } };
      return summary;
    });
  }
  const { metrics, verdict } = await reduceIn(engine, folder);
  assert.equal(verdict, 'fail');
  close(metrics.expectation_errors_ratio.value, 60 / metrics.requests_rps.count);
  close(metrics.throughput_rps.value, (metrics.requests_rps.count - 60) / 6);
});

test('a record of many requests by name over a long time is small enough to keep', async () => {
  const sizes = [
    { names: 300, rounds: 2, seconds: 900, services: 12 },
    { names: 50, rounds: 5, seconds: 3600 },
  ];
  for (const size of full ? sizes : sizes.slice(0, 1)) {
    const folder = longCase(size);
    const record = await reduceIn(/** @type {any} */ (full ? all.at(-1) : engine), folder);
    const bytes = Buffer.byteLength(recordText(record));
    assert.ok(bytes <= 64_000, `${bytes} bytes with ${JSON.stringify(size)}`);
    assert.ok(record.timeline.t.length <= 300 && record.timeline.t.length >= 30);
    assert.equal(recordProblem(record), null);
    if (size.names === 50) assert.equal(Object.keys(record.requests).length, 50);
    rmSync(folder, { recursive: true });
  }
});

test('what a script measures itself is in the record, by its schema, and touches nothing else of it', async () => {
  const raw = copyOf('ok');
  edit(join(raw, 'case.json'), (file) => ({ ...file, case: { ...file.case, script: 'own.js' } }));
  for (const round of [1, 2]) {
    edit(join(raw, `round-${round}`, 'summary.json'), (summary) => {
      const entry = { type: 'counter', contains: 'default', values: { count: round, rate: 1 } };
      return { ...summary, metrics: { ...summary.metrics, sold: entry, errors_ratio: entry, bench_mine: entry } };
    });
  }
  const { script_metrics: own, findings, ...record } = await reduceIn(engine, raw);
  assert.equal(recordProblem({ ...record, findings, script_metrics: own }), null);
  assert.deepEqual(Object.keys(own).sort(), ['errors_ratio', 'sold']);
  assert.deepEqual([own.sold.of, own.sold.metrics.total.value, own.sold.metrics.total.samples], ['run', 3, [1, 2]]);
  const golden = recordOf('ok');
  assert.deepEqual(record.metrics, golden.metrics);
  const added = findings.filter((/** @type {any} */ { id }) => id === 'script-metrics');
  assert.match(added[0].text, /^1 metric of the script is not in the record \(bench_mine\)/);
});
