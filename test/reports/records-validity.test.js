// What a record refuses, and why: numbers that do not count, rounds that do not, thresholds that decide nothing.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordProblem } from '../../dist/records/schema.js';
import { engines } from '../support/engines.js';
import { copyOf, edit, rawOf, readJson, readLines, recordOf, reduceIn } from '../support/raw.js';

const [engine] = await engines();
const idsOf = (/** @type {any} */ record, level = 'error') =>
  record.findings
    .filter((/** @type {any} */ finding) => finding.level === level)
    .map((/** @type {any} */ finding) => finding.id);
const outcomesOf = (/** @type {any} */ record) => record.thresholds.map((/** @type {any} */ one) => one.outcome);

test('a dead target fails by the cap on errors: no latency counts, no threshold on it passes', async () => {
  const record = recordOf('dead');
  assert.equal(record.verdict, 'fail');
  assert.deepEqual(outcomesOf(record), ['unknown', 'missed']);
  assert.equal(record.metrics.throughput_rps.value, 0);
  assert.equal(record.metrics.errors_ratio.value, 1);
  assert.equal(record.metrics.network_errors_ratio.value, 1);
  for (const [name, metric] of Object.entries(record.metrics)) {
    if (/^(latency|waiting)_ms/.test(name)) assert.equal(/** @type {any} */ (metric).valid, false, name);
  }
});

test('how requests failed is said in the words of the first that did', async () => {
  const folder = copyOf('dead');
  edit(join(folder, 'round-1', 'round.json'), (file) => ({
    ...file,
    problems: ['GET /: dial tcp 127.0.0.1:1: connect: connection refused', 'GET /: status 404'],
  }));
  const { findings } = await reduceIn(engine, folder);
  const { text } = findings.find((/** @type {any} */ { id }) => id === 'failed-requests');
  assert.match(
    text,
    /^100 % of the requests failed \(the first: GET \/: dial tcp 127\.0\.0\.1:1: connect: connection refused\); /,
  );
});

test('an exception in every iteration is invalid, although k6 ends with 0', async () => {
  const record = recordOf('exceptions');
  assert.equal(record.verdict, 'invalid');
  assert.ok(idsOf(record).includes('exceptions'));
  assert.ok(Object.values(record.metrics).every((metric) => !metric.valid));
  assert.equal(readJson(join(rawOf('exceptions'), 'round-1', 'round.json')).k6_exit, 0);
});

test('dropped iterations: latencies do not count, throughput and errors do; expected, it is no error', async () => {
  const folder = copyOf('dropped');
  for (const [saturation, verdict, level] of [
    ['error', 'invalid', 'error'],
    ['expected', 'pass', 'info'],
  ]) {
    edit(join(folder, 'case.json'), (file) => ({ ...file, case: { ...file.case, saturation } }));
    const record = await reduceIn(engine, folder);
    assert.equal(record.verdict, verdict);
    assert.deepEqual(
      idsOf(record, level).filter((/** @type {string} */ id) => id !== 'colocated'),
      ['saturated'],
    );
    const valid = ['latency_ms_p95', 'throughput_rps', 'errors_ratio'].map((name) => record.metrics[name].valid);
    assert.deepEqual(valid, [false, true, true]);
    assert.equal(record.metrics.latency_ms_p95.reason, 'saturated');
  }
});

test('a generator at its limit: nothing counts', async () => {
  const folder = copyOf('limited');
  for (const round of [1, 2]) {
    edit(join(folder, `round-${round}`, 'services.ndjson'), (line) => {
      // nothing else is at work, and k6 takes what the others took
      const k6 = { ...line.k6, cpu_ns: line.k6.cpu_ns * 3.8 };
      return { ...line, k6, machine: { ...line.machine, cpu_ns: k6.cpu_ns + line.services.app.cpu_ns } };
    });
  }
  const record = await reduceIn(engine, folder);
  assert.equal(record.verdict, 'invalid');
  assert.deepEqual(idsOf(record), ['generator-limited']);
  assert.ok(record.metrics.generator_cpu_ratio.value > 0.8);
  assert.ok(Object.values(record.metrics).every((metric) => !metric.valid));
});

test('nor where other programs took more of the machine: they are named first', () => {
  const record = recordOf('limited');
  assert.deepEqual(idsOf(record), ['disturbed']);
  assert.match(record.findings[0].text, /^Other programs kept 66\.5 % .* k6 used 97\.6 %/);
  assert.ok(Object.values(record.metrics).every((metric) => !metric.valid));
});

test('a service that died makes the case invalid', async () => {
  const folder = copyOf('ok');
  const lines = readLines(join(folder, 'round-2', 'services.ndjson'));
  edit(join(folder, 'round-2', 'services.ndjson'), (line) =>
    line.t > lines[2].t ? { ...line, services: { app: { ...line.services.app, alive: false } } } : line,
  );
  const record = await reduceIn(engine, folder);
  assert.equal(record.verdict, 'invalid');
  assert.deepEqual(idsOf(record), ['service-died']);
});

test('a threshold without samples is invalid, not met', async () => {
  const folder = copyOf('ok');
  const threshold = {
    metric: 'http_req_duration',
    selector: { name: 'typo' },
    expr: 'p(99)<1',
    aggregation: 'p(99)',
    percentile: 99,
    op: '<',
    value: 1,
    unit: null,
    level: 'fail',
    min_samples: 2000,
    source: 'k6',
    k6_metric: 'http_req_duration',
  };
  edit(join(folder, 'case.json'), (file) => ({ ...file, case: { ...file.case, thresholds: [threshold] } }));
  const record = await reduceIn(engine, folder);
  assert.equal(record.verdict, 'invalid');
  assert.deepEqual(idsOf(record), ['too-few-samples']);
  assert.equal(record.thresholds[0].outcome, 'unknown');
});

test('a threshold that cannot hold fails; one of level warn does not', async () => {
  const folder = copyOf('ok');
  for (const [level, verdict] of [
    ['fail', 'fail'],
    ['warn', 'pass'],
  ]) {
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
    assert.ok(idsOf(record).includes('no-load'));
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
