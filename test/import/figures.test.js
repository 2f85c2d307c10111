import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderOf } from '../support/cli.js';
import { fixture, imported, linesOf, metricValue, time } from '../support/imported.js';
import { readJson } from '../support/raw.js';

/** A record keeps seven significant digits. @param {number} value */
const kept = (value) => (Number.isInteger(value) ? value : Number(value.toPrecision(7)));

test("a JTL's figures are those of JMeter's own report, in all and by label", async () => {
  const record = await imported('jmeter-jtl', [fixture('jmeter-jtl', 'results.jtl')]);
  const report = readJson(fixture('jmeter-statistics', 'statistics.json'));
  const same = (/** @type {any} */ metrics, /** @type {any} */ own, /** @type {string} */ noun) => {
    const pairs = [
      ['p50', own.medianResTime],
      ['p90', own.pct1ResTime],
      ['p95', own.pct2ResTime],
      ['p99', own.pct3ResTime],
      ['mean', own.meanResTime],
      ['max', own.maxResTime],
    ];
    for (const [name, value] of pairs) {
      const metric = metrics[`${noun}_ms_${name}`];
      if (metric) assert.equal(metric.value, kept(value), `${own.transaction} ${name}`);
    }
  };
  same(record.metrics, report.Total, 'latency');
  assert.equal(metricValue(record, 'requests_rps'), kept(report.Total.throughput));
  assert.equal(record.metrics.errors_ratio.count, report.Total.sampleCount);
  assert.equal(metricValue(record, 'errors_ratio'), kept(report.Total.errorCount / report.Total.sampleCount));
  assert.equal(metricValue(record, 'received_bytes_per_second'), kept(report.Total.receivedKBytesPerSec * 1024));
  assert.equal(metricValue(record, 'sent_bytes_per_second'), kept(report.Total.sentKBytesPerSec * 1024));
  assert.deepEqual(Object.keys(record.requests).sort(), ['flaky', 'hello', 'reset']);
  for (const [label, { count, metrics }] of Object.entries(record.requests)) {
    assert.equal(count, report[label].sampleCount);
    same(metrics, report[label], 'latency');
  }
  const group = record.groups['browse, then buy'];
  assert.equal(group.count, report['browse, then buy'].sampleCount);
  same(group.metrics, report['browse, then buy'], 'duration');
  assert.deepEqual(record.distribution.values.length, 101);
  assert.equal(
    record.distribution.values[record.distribution.p.indexOf(95)],
    Number(report.Total.pct2ResTime.toPrecision(5)),
  );
  const [summary] = linesOf('jmeter-jtl', 'summary.txt');
  assert.match(
    summary,
    new RegExp(
      `= +${record.distribution.count} .* Avg: +${Math.floor(metricValue(record, 'latency_ms_mean'))} ` +
        `Min: +${record.distribution.min} Max: +${record.distribution.max} Err: +\\d+ \\(5\\.93%\\)`,
    ),
  );
  assert.equal(record.time, '2026-11-21T20:54:21.175Z');
});

test("JMeter's statistics.json: the same figures, and no others", async () => {
  const record = await imported('jmeter-statistics', [fixture('jmeter-statistics', 'statistics.json')], { time });
  const samples = await imported('jmeter-jtl', [fixture('jmeter-jtl', 'results.jtl')]);
  const { users_max: _, network_errors_ratio: __, latency_ms_p999: ___, ...known } = samples.metrics;
  for (const [name, metric] of Object.entries(known)) assert.equal(metricValue(record, name), metric.value, name);
  assert.equal(record.metrics.latency_ms_p999, undefined);
  assert.equal(record.distribution, null);
});

test("Artillery's report: the figures of its printed summary", async () => {
  const record = await imported('artillery', [fixture('artillery', 'report.json')]);
  const lines = linesOf('artillery', 'summary.txt');
  const after = (/** @type {string} */ name, from = 0) => {
    const at = lines.findIndex((line, i) => i >= from && line.trimStart().startsWith(`${name}:`));
    return { at, value: Number(lines[at].match(/ ([\d.]+)(\/sec)?$/)?.[1]) };
  };
  const at = lines.findIndex((line) => line.startsWith('http.response_time:'));
  for (const [name, metric] of [
    ['max', 'max'],
    ['mean', 'mean'],
    ['median', 'p50'],
    ['p95', 'p95'],
    ['p99', 'p99'],
  ]) {
    assert.equal(metricValue(record, `latency_ms_${metric}`), after(name, at).value, name);
  }
  assert.equal(record.metrics.errors_ratio.count, after('http.requests').value);
  assert.equal(
    metricValue(record, 'errors_ratio'),
    kept((after('errors.ECONNRESET').value + 4) / after('http.requests').value),
  );
  assert.equal(record.metrics.throughput_rps.count, after('http.responses').value - 4);
  assert.equal(record.metrics.iterations_rps.count, after('vusers.completed').value);
  const flaky = lines.findIndex((line) => line.startsWith('plugins.metrics-by-endpoint.response_time./flaky'));
  assert.equal(record.requests['/flaky'].metrics.latency_ms_p95.value, after('p95', flaky).value);
  assert.match(
    record.findings.map((/** @type {any} */ { text }) => text).join('\n'),
    /Here the 4 of 500 among 119 responses are errors/,
  );
});

test("Artillery 1's report: the figures of its printed summary", async () => {
  const record = await imported('artillery', [fixture('artillery', 'version-1.json')]);
  const text = linesOf('artillery', 'version-1.txt').join('\n').split('Summary report')[1];
  const said = (/** @type {string} */ name) => Number(text.match(new RegExp(`${name}: +([\\d.]+)`))?.[1]);
  for (const [name, metric] of [
    ['median', 'p50'],
    ['p95', 'p95'],
    ['p99', 'p99'],
    ['max', 'max'],
  ]) {
    assert.equal(metricValue(record, `latency_ms_${metric}`), said(name), name);
  }
  const requests = said('Requests completed') + said('ECONNRESET');
  assert.equal(record.metrics.errors_ratio.count, requests);
  assert.equal(metricValue(record, 'errors_ratio'), kept((said('500') + said('ECONNRESET')) / requests));
  assert.equal(metricValue(record, 'requests_rps'), said('Mean response/sec'));
});

test('wrk: the figures of its text; what it does not print is not there', async () => {
  const record = await imported('wrk', [fixture('wrk', 'latency.txt')], { time });
  const text = linesOf('wrk', 'latency.txt').join('\n');
  const ms = (/** @type {RegExp} */ pattern) => Number(text.match(pattern)?.[1]);
  assert.equal(metricValue(record, 'latency_ms_mean'), ms(/Latency +([\d.]+)ms/));
  assert.equal(metricValue(record, 'latency_ms_max'), ms(/Latency +\S+ +\S+ +([\d.]+)ms/));
  for (const p of [50, 90, 99])
    assert.equal(metricValue(record, `latency_ms_p${p}`), ms(new RegExp(`${p}% +([\\d.]+)ms`)));
  assert.equal(metricValue(record, 'throughput_rps'), ms(/Requests\/sec: +([\d.]+)/));
  assert.equal(metricValue(record, 'received_bytes_per_second'), kept(ms(/Transfer\/sec: +([\d.]+)KB/) * 1024));
  assert.equal(metricValue(record, 'users_max'), 4);
  assert.equal(record.metrics.latency_ms_p95, undefined);
  assert.equal(record.metrics.latency_ms_p999, undefined);
  assert.ok(record.findings.some((/** @type {any} */ { id, level }) => id === 'wrk-closed-loop' && level === 'warn'));

  const plain = await imported('wrk', [fixture('wrk', 'plain.txt')], { time });
  assert.equal(metricValue(plain, 'errors_ratio'), kept(54 / 518));
  assert.equal(metricValue(plain, 'requests_rps'), 257.42);
  assert.deepEqual(
    Object.keys(plain.metrics).filter((name) => /_p\d/.test(name)),
    [],
  );
});

test('wrk2: its whole spectrum becomes the distribution, and p95 is read from it', async () => {
  const record = await imported('wrk', [fixture('wrk', 'wrk2.txt')], { time });
  const text = linesOf('wrk', 'wrk2.txt').join('\n');
  assert.equal(record.imported.tool, 'wrk2');
  assert.equal(metricValue(record, 'latency_ms_p95'), Number(text.match(/ ([\d.]+) +0\.950000 /)?.[1]));
  assert.equal(metricValue(record, 'latency_ms_p50'), Number(text.match(/ ([\d.]+) +0\.500000 /)?.[1]));
  assert.ok(record.distribution.p.includes(93.75));
  assert.ok(!record.findings.some((/** @type {any} */ { id }) => id === 'wrk-closed-loop'));
});

test('k6: the figures of its three summaries, to the digits that it prints', async () => {
  for (const name of ['export', 'machine']) {
    const record = await imported(
      'k6-summary',
      [fixture('k6-summary', `${name}.json`)],
      name === 'export' ? { time } : {},
    );
    const text = linesOf('k6-summary', `${name}.txt`).join('\n');
    const [, own] = text.match(/http_req_duration\.+: (.*)/) ?? [];
    for (const [word, metric] of [
      ['avg', 'mean'],
      ['med', 'p50'],
      ['max', 'max'],
      ['p(90)', 'p90'],
      ['p(95)', 'p95'],
    ]) {
      const printed = own.split(`${word}=`)[1].match(/^[\d.]+/)?.[0] ?? '';
      const value = metricValue(record, `latency_ms_${metric}`);
      assert.ok(Math.abs(value - Number(printed)) <= 0.01, `${name} ${word}: ${value}, printed ${printed}`);
    }
    const [, failed, all] = (text.match(/http_req_failed\.+: \S+ +(\d+) out of (\d+)/) ?? []).map(Number);
    assert.equal(metricValue(record, 'errors_ratio'), kept(failed / all));
    const rate = Number(text.match(/http_reqs\.+: \d+ +([\d.]+)\/s/)?.[1]);
    assert.equal(metricValue(record, 'requests_rps'), kept(rate), name);
  }
  const { metrics } = readJson(fixture('k6-summary', 'handle.json'));
  const handled = await imported('k6-summary', [fixture('k6-summary', 'handle.json')], { time });
  assert.equal(metricValue(handled, 'latency_ms_p99'), kept(metrics.http_req_duration.values['p(99)']));
  assert.equal(metricValue(handled, 'requests_rps'), kept(metrics.http_reqs.values.rate));
});

test('phout: counts, bytes and quantiles of its lines', async () => {
  const record = await imported('phout', [fixture('phout', 'phout.log')]);
  const rows = linesOf('phout', 'phout.log')
    .filter(Boolean)
    .map((line) => line.split('\t'));
  const times = rows.map((row) => Number(row[2]) / 1000).sort((a, b) => a - b);
  assert.equal(record.distribution.count, rows.length);
  const failed = rows.filter(([, , , , , , , , , , net, status]) => net !== '0' || Number(status) >= 500);
  assert.equal(metricValue(record, 'errors_ratio'), kept(failed.length / rows.length));
  assert.equal(metricValue(record, 'latency_ms_max'), times[rows.length - 1]);
  const at = 0.95 * (rows.length - 1);
  const p95 = times[Math.floor(at)] + (at % 1) * (times[Math.ceil(at)] - times[Math.floor(at)]);
  assert.equal(metricValue(record, 'latency_ms_p95'), kept(p95));
  assert.deepEqual(Object.keys(record.requests).sort(), ['flaky', 'hello', 'reset']);
});

test('several files are rounds: samples of raw ones are merged, of others the median of percentiles is taken', async () => {
  const text = linesOf('jmeter-jtl', 'results.jtl');
  const folder = await folderOf({
    'a.jtl': text.slice(0, 300).join('\n'),
    'b.jtl': [text[0], ...text.slice(300)].join('\n'),
  });
  const record = await imported('jmeter-jtl', [join(folder, 'a.jtl'), join(folder, 'b.jtl')]);
  assert.equal(record.rounds, 2);
  assert.equal(record.metrics.latency_ms_p95.samples.length, 2);
  assert.equal(record.distribution.count, 540);
  assert.deepEqual(
    record.imported.files.map((/** @type {any} */ { name }) => name),
    ['a.jtl', 'b.jtl'],
  );
  const k6 = await imported(
    'k6-summary',
    ['export', 'handle', 'machine'].map((name) => fixture('k6-summary', `${name}.json`)),
    { time },
  );
  const p95 = k6.metrics.latency_ms_p95;
  assert.equal(p95.value, [...p95.samples].sort((a, b) => a - b)[1]);
  assert.equal(k6.metrics.requests_rps.count, 322 + 310 + 282);
  assert.ok(k6.findings.some((/** @type {any} */ { id }) => id === 'percentiles-of-rounds'));
});
