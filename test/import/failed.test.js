import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { benchfolio, folderOf } from '../support/cli.js';
import { fixture, imported, linesOf, metricValue, time } from '../support/imported.js';
import { readJson } from '../support/raw.js';
import { newSuite } from '../support/runs.js';

/**
 * The record of a changed file, whatever its verdict.
 * @param {string} format
 * @param {string | object} content
 * @param {Record<string, unknown>} [options]
 */
async function recordOf(format, content, options = {}) {
  const folder = await folderOf({ file: typeof content === 'string' ? content : JSON.stringify(content) });
  return imported(format, [join(folder, 'file')], { time, errorCap: 0.01, ...options });
}

test('Artillery: failed expectations, failed users and statuses of 500 and more are errors', async () => {
  const report = readJson(fixture('artillery', 'report.json'));
  const reportWith = (/** @type {Record<string, number>} */ counters) => ({
    ...report,
    aggregate: {
      ...report.aggregate,
      counters: { 'http.requests': 200, 'http.responses': 200, 'vusers.created': 100, ...counters },
    },
  });
  /** @type {[Record<string, number>, number][]} */
  const cases = [
    [{ 'http.codes.200': 200 }, 0],
    [{ 'http.codes.200': 150, 'http.codes.502': 30, 'http.codes.503': 20 }, 0.25],
    [{ 'http.codes.404': 200 }, 0],
    [{ 'http.codes.200': 200, 'plugins.expect.failed': 60, 'plugins.expect.failed.contentType': 60 }, 0.3],
    [{ 'http.codes.200': 200, 'vusers.failed': 40, 'errors.Failed capture or match': 40 }, 0.2],
    [{ 'http.codes.500': 10, 'errors.ETIMEDOUT': 10, 'plugins.expect.failed': 999 }, 1],
  ];
  for (const [counters, errors] of cases) {
    const record = await recordOf('artillery', reportWith(counters));
    assert.equal(metricValue(record, 'errors_ratio'), errors, JSON.stringify(counters));
    assert.equal(record.verdict, errors > 0.01 ? 'fail' : 'pass');
  }
});

test('k6: checks and thresholds of its three summaries decide', async () => {
  for (const name of ['export.json', 'handle.json', 'machine.json']) {
    const summary = readJson(fixture('k6-summary', name));
    const metrics = summary.metrics ?? summary.results.checks.metrics;
    if (name === 'export.json') {
      Object.assign(metrics.checks, { passes: 55, fails: 100 });
      metrics['http_req_duration{name:hello}'].thresholds = { 'p(95)<500': true, 'avg<1000': false };
    } else if (name === 'handle.json') {
      Object.assign(metrics.checks.values, { passes: 61, fails: 100 });
      metrics['http_req_duration{name:hello}'].thresholds = { 'p(95)<500': { ok: false }, 'avg<1000': { ok: true } };
    } else {
      summary.results.metrics.push({ name: 'checks', type: 'rate', values: { passes: 41, fails: 100 } });
    }
    const record = await recordOf('k6-summary', summary, { errorCap: 0.9 });
    assert.equal(
      record.metrics.expectation_errors_ratio.value,
      Number((100 / record.metrics.errors_ratio.count).toPrecision(7)),
    );
    assert.equal(metricValue(record, 'errors_ratio'), record.metrics.expectation_errors_ratio.value);
    if (name === 'machine.json') {
      assert.equal(record.verdict, 'pass');
      assert.ok(record.findings.some((/** @type {any} */ { id }) => id === 'thresholds-unknown'));
      continue;
    }
    assert.equal(record.verdict, 'fail', name);
    const [, ...own] = record.thresholds;
    const of = (/** @type {string} */ expr) => own.find((/** @type {any} */ one) => one.expr === expr);
    assert.equal(of('p(95)<500').outcome, 'missed', name);
    assert.deepEqual(of('p(95)<500').selector, { name: 'hello' });
    assert.equal(of('avg<1000').outcome, 'met', name);
    assert.match(record.reason, /http_req_duration\{name:hello\} p\(95\)<500: [\d.]+/);
  }
});

test('k6: a threshold says what it asks for, and one that cannot be read is refused by name', async () => {
  const summary = readJson(fixture('k6-summary', 'handle.json'));
  const of = summary.metrics['http_req_duration{name:hello}'];
  of.thresholds = { 'med < 5E2': { ok: true } };
  const [, threshold] = (await recordOf('k6-summary', summary)).thresholds;
  const { aggregation, percentile, op, value } = threshold;
  assert.deepEqual([aggregation, percentile, op, value], ['med', 50, '<', 500]);
  of.thresholds = { 'p(95)<200 && avg<100': { ok: true } };
  await assert.rejects(recordOf('k6-summary', summary), {
    message: /has a threshold on http_req_duration\{name:hello\} that this k6 does not know: p\(95\)<200 && avg<100/,
  });
});

test('k6: calls of gRPC and sessions of WebSockets are counted where there is no HTTP, and nothing is no record', async () => {
  const trend = { avg: 12, min: 3, med: 10, max: 88, 'p(90)': 20, 'p(95)': 30 };
  const others = { iterations: { count: 600, rate: 20 } };
  const grpc = await recordOf('k6-summary', { metrics: { ...others, grpc_req_duration: { ...trend, count: 1800 } } });
  assert.equal(grpc.metrics.requests_rps.count, 1800);
  assert.equal(metricValue(grpc, 'latency_ms_p95'), 30);
  const sessions = await recordOf('k6-summary', {
    metrics: { ...others, ws_session_duration: trend, ws_sessions: { count: 50, rate: 1.66 } },
  });
  assert.equal(sessions.metrics.requests_rps.count, 50);
  assert.match(
    sessions.findings.map((/** @type {any} */ { text }) => text).join(),
    /a request is a WebSocket session here/,
  );
  await assert.rejects(
    recordOf('k6-summary', { metrics: { ...others, http_reqs: { count: 0, rate: 0 }, http_req_duration: trend } }),
    { code: 2, message: /has no HTTP requests \(http_reqs\), gRPC calls or WebSocket sessions$/ },
  );
});

test('JTL: True and FALSE are words for what JMeter writes in small letters', async () => {
  const head = 'timeStamp,elapsed,label,responseCode,success';
  const rows = ['True', 'TRUE', 'true', 'False', 'FALSE', 'false'].map(
    (success, i) => `179529446${1000 + i},10,a,200,${success}`,
  );
  const record = await recordOf('jmeter-jtl', [head, ...rows].join('\n'));
  assert.equal(metricValue(record, 'errors_ratio'), 0.5);
});

test('JTL: transactions alone are what was measured; times that cannot be are refused with their line', async () => {
  const lines = linesOf('jmeter-jtl', 'results.jtl');
  const sums = lines.filter((line, i) => i === 0 || line.includes('Number of samples in transaction'));
  const record = await recordOf('jmeter-jtl', sums.join('\n'), { errorCap: 1 });
  assert.equal(record.metrics.requests_rps.count, sums.length - 1);
  assert.deepEqual(Object.keys(record.requests), ['browse, then buy']);
  assert.deepEqual(record.groups, {});
  assert.ok(record.findings.some((/** @type {any} */ { id }) => id === 'jmeter-only-transactions'));
  const head = 'timeStamp,elapsed,label,success';
  for (const row of [
    '0,5,a,true',
    '1e300,5,a,true',
    '-5,5,a,true',
    '1795294461175,-5,a,true',
    '1795294461175,1e9,a,true',
  ]) {
    await assert.rejects(recordOf('jmeter-jtl', [head, '1795294461175,5,a,true', row].join('\n')), {
      message: /: line 3 has (no elapsed time|a timeStamp that)/,
    });
  }
});

test('JMeter: statistics.json of 5.2 and older has no median; a label may have a throughput of 0', async () => {
  const report = readJson(fixture('jmeter-statistics', 'statistics.json'));
  for (const row of Object.values(report)) delete row.medianResTime;
  report.hello.throughput = 0;
  const record = await recordOf('jmeter-statistics', report, { errorCap: 1 });
  assert.equal(record.metrics.latency_ms_p50, undefined);
  assert.equal(metricValue(record, 'latency_ms_p95'), Number(report.Total.pct2ResTime.toPrecision(7)));
  assert.equal(record.requests.hello.metrics.latency_ms_p50, undefined);
  report.Total.throughput = 0;
  await assert.rejects(recordOf('jmeter-statistics', report), {
    code: 2,
    message: /does not say how long the run was$/,
  });
});

test('phout: what the network lost and statuses of 500 and more are errors, 404 is not', async () => {
  const line = (/** @type {number} */ net, /** @type {number} */ status) =>
    `1795294461.100\ttag\t5000\t10\t10\t4000\t10\t0\t100\t200\t${net}\t${status}`;
  const record = await recordOf('phout', [line(0, 200), line(0, 404), line(110, 0), line(0, 503)].join('\n'));
  assert.equal(metricValue(record, 'errors_ratio'), 0.5);
  assert.equal(record.verdict, 'fail');
});

test('what failed is kept with its verdict, and the command ends with 1', async () => {
  const suite = newSuite();
  const failed = await benchfolio(
    [
      'import',
      'wrk',
      fixture('wrk', 'plain.txt'),
      '--system',
      'shop',
      '--scenario',
      'a',
      '--time',
      time,
      '--version',
      'v1',
    ],
    { cwd: suite },
  );
  assert.equal(failed.code, 1, failed.stderr);
  assert.match(failed.stdout, /^Kept 1 file of wrk as v1: /);
  assert.match(failed.stdout, /\nfail: 10\.4 % of the requests failed, the cap is 1 %\n$/);
  const file = join(suite, 'reports', 'versions', 'v1', 'shop', 'imported', 'a.json');
  assert.ok(existsSync(file));
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).verdict, 'fail');
});

test('60,000 labels: the rare ones are one row, and nothing is lost', async () => {
  const head = 'timeStamp,elapsed,label,success';
  const rows = Array.from(
    { length: 70_000 },
    (_, i) => `${1795294461175 + i},${i % 50},${i < 10_000 ? 'home' : `item ${i}`},true`,
  );
  const record = await recordOf('jmeter-jtl', [head, ...rows].join('\n'));
  assert.equal(record.metrics.requests_rps.count, 70_000);
  assert.equal(record.requests.home.count, 10_000);
  const all = Object.values(record.requests).reduce((sum, { count }) => sum + count, 0);
  assert.equal(all, 70_000);
  assert.equal(record.requests['(59901 others)'].count, 59_901);
  assert.match(
    record.findings.map((/** @type {any} */ { text }) => text).join(),
    /There are 60001 labels: 100 have a row/,
  );
});
