import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordProblem } from '../src/records/schema.js';
import { recordText } from '../src/records/text.js';
import { root } from './cli.js';
import { engines } from './engines.js';
import { longCase } from './hour.js';
import { copyOf, edit, rawOf, readJson, readLines, reduceIn } from './raw.js';

const all = await engines();
const [engine] = all;
const situations = readdirSync(join(root, 'test', 'fixtures'))
  .flatMap((name) => (name.startsWith('raw-') && name !== 'raw-suite' ? name.slice('raw-'.length) : []));
const close = (/** @type {number} */ a, /** @type {number} */ b, message = `${a} is not ${b}`) => {
  assert.ok(Math.abs(a - b) <= 1e-6 * Math.abs(b), message);
};
const countOf = (/** @type {any} */ metrics) => {
  const { passes, fails } = metrics['http_req_failed{phase:steady}'].values;
  return passes + fails;
};
const idsOf = (/** @type {any} */ record, level = 'error') => record.findings
  .filter((/** @type {any} */ finding) => finding.level === level).map((/** @type {any} */ finding) => finding.id);
const outcomesOf = (/** @type {any} */ record) => record.thresholds.map((/** @type {any} */ one) => one.outcome);

for (const situation of situations) {
  test(`raw-${situation}: every jq makes the record that is kept beside it, valid by its schema`, async () => {
    const golden = readJson(join(rawOf(situation), 'record.json'));
    for (const one of all) {
      const record = await reduceIn(one, rawOf(situation));
      assert.deepEqual(record, golden, one.name);
      assert.equal(recordProblem(record), null);
    }
  });
}

test('rates are counts by the window, not by the run; shares are of requests', async () => {
  const { metrics, window } = await reduceIn(engine, rawOf('warmup'));
  const summaries = [1, 2].map((round) => readJson(join(rawOf('warmup'), `round-${round}`, 'summary.json')).metrics);
  const counts = summaries.map((one) => countOf(one));
  assert.deepEqual([window.from_s, window.to_s, window.seconds], [2, 4, 4]);
  close(metrics.throughput_rps.value, (counts[0] + counts[1]) / 4);
  const { samples } = metrics.throughput_rps;
  samples.forEach((/** @type {number} */ sample, /** @type {number} */ i) => close(sample, counts[i] / 2));
  for (const one of summaries) assert.ok(one['iterations{phase:steady}'].values.rate < 60, 'k6 divides by the run');
  close(metrics.rate_asked_rps.value, 100);
});

test('the warm-up is not in the latencies: it was ten times slower', async () => {
  const record = await reduceIn(engine, rawOf('warmup'));
  assert.ok(record.timeline.latency_ms_p50[0] > 3, 'the timeline shows it');
  assert.deepEqual(record.timeline.phase_steady, [2, 4]);
  const p50s = [1, 2].map((round) => readJson(join(rawOf('warmup'), `round-${round}`, 'summary.json'))
    .metrics['http_req_duration{phase:steady}'].values['p(50)']);
  const { samples, value } = record.metrics.latency_ms_p50;
  samples.forEach((/** @type {number} */ p50, /** @type {number} */ i) => close(p50, p50s[i]));
  assert.ok(value >= Math.min(...p50s) && value <= Math.max(...p50s));
});

test('latencies of two rounds are merged by counts: as many lie below the merged quantile as should', async () => {
  const record = await reduceIn(engine, rawOf('ok'));
  const rounds = [1, 2].map((round) => readJson(join(rawOf('ok'), `round-${round}`, 'summary.json'))
    .metrics['http_req_duration{phase:steady}'].values);
  const shareBelow = (/** @type {Record<string, number>} */ values, /** @type {number} */ x) => {
    const grid = record.distribution.p.map((/** @type {number} */ p) => [p, values[`p(${p})`]]);
    const above = grid.findIndex(([, value]) => value > x);
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
  const record = await reduceIn(engine, rawOf('ok'));
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
  samples.forEach((/** @type {number} */ cores, /** @type {number} */ i) => close(cores, used[i] / 3000));
  close(record.metrics.cpu_ms_per_request.value, (used[0] + used[1]) / record.metrics.requests_rps.count);
  assert.deepEqual(record.services.app.metrics.cpu_ratio_mean, record.metrics.cpu_ratio_mean);
});

test('parts of a cut round are one round: one sample, the windows added up', async () => {
  const record = await reduceIn(engine, rawOf('parts'));
  assert.equal(record.rounds, 1);
  assert.equal(record.metrics.latency_ms_p95.samples.length, 1);
  assert.equal(record.window.seconds, 4);
  const summaries = [1, 2].map((part) => readJson(join(rawOf('parts'), `round-1.${part}`, 'summary.json')));
  const counts = summaries.map(({ metrics }) => countOf(metrics));
  close(record.metrics.requests_rps.value, (counts[0] + counts[1]) / 4);
  assert.ok(record.timeline.t.at(-1) > 5, 'both parts are on the timeline');
});

test('requests by name, with the share that they had and the weight they should have', async () => {
  const record = await reduceIn(engine, rawOf('mixed'));
  assert.deepEqual(Object.keys(record.requests).sort(), ['B', 'GET /a']);
  assert.equal(record.requests.B.weight, 1);
  const { B, 'GET /a': a } = record.requests;
  close(B.share, Number((B.count / (B.count + a.count)).toPrecision(4)));
  assert.equal(record.requests.B.metrics.latency_ms_p95.count, record.requests.B.count);
});

test('iterations that end by count: the window ends with the last', async () => {
  const record = await reduceIn(engine, rawOf('counted'));
  const ends = [1, 2].map((round) => readJson(join(rawOf('counted'), `round-${round}`, 'summary.json')).metrics)
    .map((metrics) => metrics.bench_ended.values.max - metrics.bench_started.values.min);
  close(record.window.seconds, (ends[0] + ends[1]) / 1000);
  assert.equal(record.metrics.rate_achieved_ratio.value, null);
  assert.equal(record.metrics.rate_achieved_ratio.reason, 'the scenario asks for no rate');
});

test('a dead target fails by the cap on errors: no latency counts, no threshold on it passes', async () => {
  const record = await reduceIn(engine, rawOf('dead'));
  assert.equal(record.verdict, 'fail');
  assert.deepEqual(outcomesOf(record), ['unknown', 'missed']);
  assert.equal(record.metrics.throughput_rps.value, 0);
  assert.equal(record.metrics.errors_ratio.value, 1);
  assert.equal(record.metrics.network_errors_ratio.value, 1);
  for (const [name, metric] of Object.entries(record.metrics)) {
    if (/^(latency|waiting)_ms/.test(name)) assert.equal(/** @type {any} */ (metric).valid, false, name);
  }
});

test('an exception in every iteration is invalid, although k6 ends with 0', async () => {
  const record = await reduceIn(engine, rawOf('exceptions'));
  assert.equal(record.verdict, 'invalid');
  assert.ok(idsOf(record).includes('exceptions'));
  assert.ok(Object.values(record.metrics).every((metric) => !metric.valid));
  assert.equal(readJson(join(rawOf('exceptions'), 'round-1', 'round.json')).k6_exit, 0);
});

test('dropped iterations: latencies do not count, throughput and errors do; expected, it is no error', async () => {
  const folder = copyOf('dropped');
  for (const [saturation, verdict, level] of [['error', 'invalid', 'error'], ['expected', 'pass', 'info']]) {
    edit(join(folder, 'case.json'), (file) => ({ ...file, case: { ...file.case, saturation } }));
    const record = await reduceIn(engine, folder);
    assert.equal(record.verdict, verdict);
    assert.deepEqual(idsOf(record, level).filter((id) => id !== 'colocated'), ['saturated']);
    const valid = ['latency_ms_p95', 'throughput_rps', 'errors_ratio'].map((name) => record.metrics[name].valid);
    assert.deepEqual(valid, [false, true, true]);
    assert.equal(record.metrics.latency_ms_p95.reason, 'saturated');
  }
});

test('a generator at its limit: nothing counts', async () => {
  const record = await reduceIn(engine, rawOf('limited'));
  assert.equal(record.verdict, 'invalid');
  assert.deepEqual(idsOf(record), ['generator-limited']);
  assert.ok(record.metrics.generator_cpu_ratio.value > 0.8);
  assert.ok(Object.values(record.metrics).every((metric) => !metric.valid));
});

test('responses that were not expected are errors, and not throughput', async () => {
  const { metrics, verdict } = await reduceIn(engine, rawOf('errors'));
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

test('a service that died makes the case invalid', async () => {
  const folder = copyOf('ok');
  const lines = readLines(join(folder, 'round-2', 'services.ndjson'));
  edit(join(folder, 'round-2', 'services.ndjson'), (line) => (
    line.t > lines[2].t ? { ...line, services: { app: { ...line.services.app, alive: false } } } : line));
  const record = await reduceIn(engine, folder);
  assert.equal(record.verdict, 'invalid');
  assert.deepEqual(idsOf(record), ['service-died']);
});

test('a threshold without samples is invalid, not met', async () => {
  const folder = copyOf('ok');
  const threshold = {
    metric: 'http_req_duration', selector: { name: 'typo' }, expr: 'p(99)<1', aggregation: 'p(99)', op: '<', value: 1,
    level: 'fail', samples: 2000, source: 'k6',
  };
  edit(join(folder, 'case.json'), (file) => ({ ...file, case: { ...file.case, thresholds: [threshold] } }));
  const record = await reduceIn(engine, folder);
  assert.equal(record.verdict, 'invalid');
  assert.deepEqual(idsOf(record), ['too-few-samples']);
  assert.equal(record.thresholds[0].outcome, 'unknown');
});

test('a threshold that cannot hold fails; one of level warn does not', async () => {
  const folder = copyOf('ok');
  for (const [level, verdict] of [['fail', 'fail'], ['warn', 'pass']]) {
    edit(join(folder, 'case.json'), (file) => {
      const ofK6 = file.case.thresholds.filter((/** @type {any} */ { source }) => source === 'k6');
      for (const one of ofK6) Object.assign(one, { op: '<', value: 0.001, level });
      return file;
    });
    assert.equal((await reduceIn(engine, folder)).verdict, verdict);
  }
});

const endAs = (/** @type {string} */ folder, /** @type {Record<string, unknown>} */ how) => {
  edit(join(folder, 'round-2', 'round.json'), (end) => ({ ...end, ...how }));
};

test('rounds that do not count are left out, and named', async () => {
  for (const [change, why] of /** @type {[(folder: string) => void, RegExp][]} */ ([
    [(folder) => rmSync(join(folder, 'round-2', 'round.json')), /round 2 did not end/],
    [(folder) => rmSync(join(folder, 'round-2', 'summary.json')), /round 2 left no summary/],
    [(folder) => endAs(folder, { signal: 'SIGKILL' }), /round 2 was stopped by SIGKILL/],
    [(folder) => endAs(folder, { k6_exit: 107 }), /round 2 ended with k6's exit code 107/],
    [(folder) => endAs(folder, { parts: 2 }), /round 2 is not whole/],
    [(folder) => rmSync(join(folder, 'round-2'), { recursive: true }), /1 of 2 rounds count/],
  ])) {
    const folder = copyOf('ok');
    change(folder);
    const record = await reduceIn(engine, folder);
    assert.equal(record.rounds, 1);
    assert.equal(record.metrics.latency_ms_p95.samples.length, 1);
    assert.match(record.findings.find((/** @type {any} */ { id }) => id === 'missing-rounds').text, why);
    assert.equal(recordProblem(record), null);
  }
});

test('exit code 99 is k6 saying that a threshold was missed: the round counts', async () => {
  const folder = copyOf('ok');
  endAs(folder, { k6_exit: 99 });
  assert.equal((await reduceIn(engine, folder)).rounds, 2);
});

test('without any round, or a window nobody reached: invalid, and no number', async () => {
  const none = copyOf('ok');
  for (const round of [1, 2]) rmSync(join(none, `round-${round}`, 'round.json'));
  const late = copyOf('ok');
  for (const round of [1, 2]) {
    edit(join(late, `round-${round}`, 'summary.json'), (summary) => {
      const kept = Object.entries(summary.metrics).filter(([name]) => !/^bench_started|phase/.test(name));
      return { ...summary, metrics: Object.fromEntries(kept) };
    });
  }
  for (const folder of [none, late]) {
    const record = await reduceIn(engine, folder);
    assert.equal(record.verdict, 'invalid');
    assert.ok(idsOf(record).includes('load-did-not-happen'));
    assert.ok(Object.values(record.metrics).every((metric) => !metric.valid));
    assert.equal(recordProblem(record), null);
  }
});

test('a missing timeline or missing samples are said, not made up', async () => {
  const folder = copyOf('ok');
  const missing = [1, 2].flatMap((round) => [`round-${round}/timeline.ndjson`, `round-${round}/services.ndjson`]);
  for (const file of missing) rmSync(join(folder, file));
  const record = await reduceIn(engine, folder);
  assert.equal(record.timeline, null);
  assert.equal(record.metrics.cpu_ms_per_request.value, null);
  assert.equal(record.metrics.cpu_ms_per_request.valid, false);
  assert.ok(idsOf(record, 'warn').includes('services-not-sampled'));
  assert.deepEqual(idsOf(record), ['too-few-samples']); // the threshold on memory_bytes
  assert.equal(recordProblem(record), null);
});

test('a record of an hour, 50 requests by name and five rounds is small enough to keep', async () => {
  for (const size of [{ names: 50, rounds: 5, seconds: 3600 }, { names: 300, rounds: 2, seconds: 900, services: 12 }]) {
    const folder = longCase(size);
    const record = await reduceIn(/** @type {any} */ (all.at(-1)), folder);
    const bytes = Buffer.byteLength(recordText(record));
    assert.ok(bytes <= 64_000, `${bytes} bytes with ${JSON.stringify(size)}`);
    assert.ok(record.timeline.t.length <= 300 && record.timeline.t.length >= 30);
    assert.equal(recordProblem(record), null);
    if (size.names === 50) assert.equal(Object.keys(record.requests).length, 50);
    rmSync(folder, { recursive: true });
  }
});
