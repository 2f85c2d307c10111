// Tools whose results came later: their figures beside those that the tool itself printed, and what each calls failed.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderOf } from '../support/cli.js';
import { fixture, imported, linesOf, metricValue, time } from '../support/imported.js';
import { readJson } from '../support/raw.js';

/** A record keeps seven significant digits. @param {number} value */
const kept = (value) => Number(value.toPrecision(7));

/** @param {any} record @param {RegExp} text */
const finds = (record, text) =>
  assert.match(record.findings.map((/** @type {any} */ one) => one.text).join('\n'), text);

test('vegeta: its binary results, JSON and CSV are the same, and the figures of its report', async () => {
  const report = readJson(fixture('vegeta', 'report.json'));
  const binary = await imported('vegeta', [fixture('vegeta', 'results.bin')]);
  const summed = await imported('vegeta', [fixture('vegeta', 'report.json')]);
  for (const record of [binary, summed]) {
    assert.equal(record.metrics.requests_rps.count, report.requests);
    assert.equal(metricValue(record, 'errors_ratio'), kept(1 - report.success));
    assert.equal(metricValue(record, 'latency_ms_max'), kept(report.latencies.max / 1e6));
    assert.ok(Math.abs(metricValue(record, 'latency_ms_mean') - report.latencies.mean / 1e6) < 1e-5);
    assert.equal(metricValue(record, 'throughput_rps').toFixed(3), report.throughput.toFixed(3));
    assert.equal(record.time, '2026-11-29T21:02:56.654Z');
    // vegeta estimates its percentiles.
    for (const [p, name] of [
      ['p50', '50th'],
      ['p95', '95th'],
    ]) {
      const ratio = metricValue(record, `latency_ms_${p}`) / (report.latencies[name] / 1e6);
      assert.ok(Math.abs(ratio - 1) < 0.03, `${p}: ${ratio}`);
    }
  }
  assert.deepEqual(Object.keys(binary.requests).sort(), ['GET /flaky', 'GET /hello']);
  assert.equal(binary.requests['GET /flaky'].count, 200);
  const [json, csv] = [
    await imported('vegeta', [fixture('vegeta', 'results.json')]),
    await imported('vegeta', [fixture('vegeta', 'results.csv')]),
  ];
  assert.equal(json.metrics.requests_rps.count, 100);
  assert.deepEqual(json.distribution, csv.distribution);
  for (const name of ['errors_ratio', 'latency_ms_p99', 'received_bytes_per_second'])
    assert.equal(kept(metricValue(json, name)).toPrecision(5), kept(metricValue(csv, name)).toPrecision(5), name);
});

test('vegeta: binary results that end early are refused, and a result without a response is an error', async () => {
  const whole = readFileSync(fixture('vegeta', 'results.bin'));
  const folder = await folderOf({ 'a.json': '' });

  for (const length of [200, 300, whole.length - 1]) {
    writeFileSync(join(folder, 'cut.bin'), whole.subarray(0, length));
    await assert.rejects(imported('vegeta', [join(folder, 'cut.bin')]), {
      code: 2,
      message:
        /(ends within its result \d+|is truncated or damaged.*|has no results|is not results or the JSON report of vegeta.*)$/,
    });
  }
  const lost =
    '{"attack":"","seq":0,"code":0,"timestamp":"2026-01-01T00:00:00Z","latency":5,"error":"EOF","method":"GET","url":"http://a/b?c"}';
  writeFileSync(
    join(folder, 'lost.json'),
    `${lost}\n${lost.replace('"code":0', '"code":204').replace('"EOF"', '""')}\n`,
  );
  const record = await imported('vegeta', [join(folder, 'lost.json')], { errorCap: 0.6 });
  assert.equal(metricValue(record, 'errors_ratio'), 0.5);
  assert.equal(metricValue(record, 'network_errors_ratio'), 0.5);
  assert.deepEqual(Object.keys(record.requests), ['GET /b']);
});

test('hey: the figures of its text, with statuses of 500 and lost requests as errors', async () => {
  const record = await imported('hey', [fixture('hey', 'hey.txt')], { time });
  const text = linesOf('hey', 'hey.txt').join('\n');
  const said = (/** @type {RegExp} */ pattern) => Number(text.match(pattern)?.[1]);
  assert.equal(metricValue(record, 'latency_ms_mean'), kept(said(/Average:\t([\d.]+)/) * 1000));
  assert.equal(metricValue(record, 'latency_ms_max'), kept(said(/Slowest:\t([\d.]+)/) * 1000));
  for (const p of [50, 90, 95, 99])
    assert.equal(metricValue(record, `latency_ms_p${p}`), kept(said(new RegExp(`${p}%+ in ([\\d.]+)`)) * 1000));
  assert.equal(
    metricValue(record, 'errors_ratio'),
    kept(said(/\[500\]\t(\d+)/) / (said(/\[200\]\t(\d+)/) + said(/\[500\]\t(\d+)/))),
  );
  assert.ok(Math.abs(metricValue(record, 'requests_rps') - said(/Requests\/sec:\t([\d.]+)/)) < 0.01);
  const reset = await imported('hey', [fixture('hey', 'hey-reset.txt')], { time });
  assert.equal(reset.metrics.errors_ratio.count, 424);
  assert.equal(metricValue(reset, 'network_errors_ratio'), kept(1 / 424));
  const csv = await imported('hey', [fixture('hey', 'hey.csv')], { time });
  assert.equal(csv.distribution.count, 200);
  finds(csv, /errors of the network are not counted/);
  assert.ok(metricValue(csv, 'errors_ratio') > 0);
  const good = await folderOf({
    'good.csv': linesOf('hey', 'hey.csv')
      .filter((line) => !line.includes(',500,'))
      .join('\n'),
  });
  const unknown = await imported('hey', [join(good, 'good.csv')], { time });
  assert.equal(unknown.metrics.errors_ratio, undefined, 'those without a response are not in the file');
  assert.equal(unknown.thresholds[0].outcome, 'unknown');
});

test('oha: the figures of its JSON and its text; lost requests and statuses of 500 are errors, its own end is none', async () => {
  for (const [name, network] of /** @type {const} */ ([
    ['flaky', 0],
    ['reset', 86],
    ['rate', 0],
  ])) {
    const said = readJson(fixture('oha', `${name}.json`));
    const record = await imported('oha', [fixture('oha', `${name}.json`)], { time });
    for (const metric of ['p50', 'p90', 'p95', 'p99'])
      assert.ok(
        Math.abs(metricValue(record, `latency_ms_${metric}`) / said.latencyPercentiles[metric] / 1000 - 1) < 1e-6,
        metric,
      );
    assert.equal(metricValue(record, 'latency_ms_mean'), kept(said.summary.average * 1000));
    assert.equal(metricValue(record, 'latency_ms_max'), kept(said.summary.slowest * 1000));
    const { 200: ok, 500: bad = 0 } = said.statusCodeDistribution;
    assert.equal(metricValue(record, 'errors_ratio'), kept((bad + network) / (ok + bad + network)));
    assert.equal(metricValue(record, 'network_errors_ratio'), kept(network / (ok + bad + network)));
    assert.equal(metricValue(record, 'received_bytes_per_second'), kept(said.summary.totalData / said.summary.total));
  }
  const text = linesOf('oha', 'summary.txt').join('\n');
  const of = (/** @type {RegExp} */ pattern) => Number(text.match(pattern)?.[1]);
  const printed = await imported('oha', [fixture('oha', 'summary.txt')], { time });
  for (const p of [50, 90, 95, 99])
    assert.equal(metricValue(printed, `latency_ms_p${p}`), kept(of(new RegExp(`${p}.00% in ([\\d.]+) ms`))));
  assert.equal(metricValue(printed, 'latency_ms_mean'), kept(of(/Average:\t([\d.]+)/)));
  assert.equal(metricValue(printed, 'errors_ratio'), kept(62 / 669));
  assert.equal(metricValue(printed, 'requests_rps').toFixed(3), (669 / 2.0029887).toFixed(3));
});

test('oha: each of its units, its CSV, and what is no oha', async () => {
  const text = linesOf('oha', 'summary.txt').join('\n');
  const files = {
    seconds: text.replace(/([\d.]+) ms/g, (_, ms) => `${Number(ms) / 1000} sec`),
    nanoseconds: text.replace(/([\d.]+) ms/g, (_, ms) => `${Number(ms) * 1e6} ns`),
    stones: text.replaceAll(' ms', ' stones'),
    lost: text.replace(/^ {2}\[(200|500)\].*\n/gm, '').replace('[5] aborted due to deadline', '[7] connection refused'),
    nothing: text.replace(/^ {2}\[(200|500)\].*\n/gm, ''),
    percent: text.replace('99.00% in', '9.9.00% in'),
    cut: text.slice(0, 40),
    cutJson: JSON.stringify(readJson(fixture('oha', 'flaky.json'))).slice(0, 400),
  };
  const folder = await folderOf(files);
  const read = (/** @type {string} */ name) => imported('oha', [join(folder, name)], { time, errorCap: 1 });
  const value = metricValue(await read('seconds'), 'latency_ms_p95');
  assert.equal(value, metricValue(await imported('oha', [fixture('oha', 'summary.txt')], { time }), 'latency_ms_p95'));
  assert.equal(metricValue(await read('nanoseconds'), 'latency_ms_p95'), value);
  const lost = await read('lost');
  assert.equal(metricValue(lost, 'errors_ratio'), 1);
  assert.equal(lost.metrics.errors_ratio.count, 7);
  for (const [name, message] of /** @type {const} */ ([
    ['stones', /has a time in "stones", which is no unit of oha$/],
    ['nothing', /has no requests$/],
    ['percent', /has a percentile of all requests that is not between 0 and 100$/],
    ['cut', /is truncated: there is no line "Total"$/],
    ['cutJson', /is truncated or damaged$/],
  ]))
    await assert.rejects(read(name), { code: 2, message });

  const csv = await imported('oha', [fixture('oha', 'results.csv')], { time });
  assert.equal(csv.distribution.count, 279);
  finds(csv, /errors of the network are not counted/);
  assert.equal(csv.metrics.errors_ratio, undefined, 'those without a response are not in the file');
  const durations = linesOf('oha', 'results.csv')
    .slice(1)
    .filter(Boolean)
    .map((line) => Number(line.split(',')[4]) * 1000);
  assert.equal(metricValue(csv, 'latency_ms_max'), kept(Math.max(...durations)));
});

test('autocannon: its figures; statuses of 500, lost requests and mismatches are errors', async () => {
  const result = readJson(fixture('autocannon', 'result.json'));
  const record = await imported('autocannon', [fixture('autocannon', 'result.json')]);
  for (const [metric, name] of [
    ['p50', 'p50'],
    ['p90', 'p90'],
    ['p99', 'p99'],
    ['p999', 'p99_9'],
    ['mean', 'mean'],
    ['max', 'max'],
  ])
    assert.equal(metricValue(record, `latency_ms_${metric}`), result.latency[name], name);
  assert.equal(record.metrics.latency_ms_p95, undefined, 'autocannon has no p95');
  assert.equal(metricValue(record, 'errors_ratio'), kept(result['5xx'] / result.requests.total));
  assert.equal(metricValue(record, 'users_max'), 4);
  assert.equal(record.time, result.start);
  const folder = await folderOf({ a: JSON.stringify({ ...result, '5xx': 0, errors: 35, mismatches: 100 }) });
  const failed = await imported('autocannon', [join(folder, 'a')], { errorCap: 0.01 });
  assert.equal(metricValue(failed, 'errors_ratio'), kept(135 / 800));
  assert.equal(failed.verdict, 'fail');
});

test('Gatling: the figures that it printed, of its text and its binary log, with requests in groups', async () => {
  for (const name of ['text', 'binary']) {
    const record = await imported('gatling', [fixture('gatling', `${name}.log`)]);
    const printed = linesOf('gatling', `${name}.txt`).join('\n');
    const said = (/** @type {string} */ what) =>
      Number(new RegExp(`${what}[^\\d]*?(?:\\(ms\\))?[| ]+(\\d+)`).exec(printed)?.[1]);
    assert.equal(record.metrics.requests_rps.count, said('request count'));
    assert.equal(Math.round(metricValue(record, 'latency_ms_mean')), said('mean response time'));
    assert.equal(metricValue(record, 'latency_ms_max'), said('max response time'));
    for (const p of [50, 95, 99]) {
      const theirs = said(`response time ${p}th percentile`);
      assert.ok(Math.abs(metricValue(record, `latency_ms_p${p}`) - theirs) <= 1 + 0.05 * theirs, `${name} p${p}`);
    }
    const failed = Number(/request count.*?(\d+)[ )]*$/m.exec(printed)?.[1]);
    assert.ok(failed > 0);
    assert.equal(metricValue(record, 'errors_ratio'), kept(failed / 300));
    assert.equal(metricValue(record, 'status_errors_ratio'), kept(failed / 300));
    assert.deepEqual(Object.keys(record.requests).sort(), ['reset', 'visit / flaky', 'visit / hello']);
    assert.equal(record.requests['visit / flaky'].count, 100);
    assert.equal(record.groups.visit.count, 100);
    assert.equal(metricValue(record, 'users_max'), 5);
    assert.equal(record.time, name === 'text' ? '2026-11-30T00:27:30.927Z' : '2026-11-30T00:28:26.928Z');
    finds(record, /has 1 assertions, but not what became of them/);
  }
});

test('Gatling: the log of 3.3 and before, what was lost and what was not expected, and damaged logs', async () => {
  const old = [
    'RUN\tdemo.Shop\tshop\t1700000000000\t \t3.3.1',
    'USER\tbrowse\t1\tSTART\t1700000000000\t1700000000000',
    'REQUEST\t1\tvisit,inner\thello\t1700000000000\t1700000000010\tOK\t ',
    'REQUEST\t1\t\thello\t1700000000020\t1700000000040\tKO\tj.n.ConnectException: refused',
    'REQUEST\t1\t\thello\t1700000000050\t1700000000070\tKO\tRequest timeout to localhost after 60000 ms',
    'REQUEST\t1\t\thello\t1700000000080\t1700000000090\tKO\tjsonPath($.id).find.exists, found nothing',
    'REQUEST\t1\t\thello\t1700000000090\t1700000000100\tKO\tstatus.find.is(200), but actually found 503',
    'GROUP\t1\tvisit,inner\t1700000000000\t1700000000010\t10\tOK',
    'USER\tbrowse\t1\tEND\t1700000000000\t1700000000100',
  ];
  const binary = readFileSync(fixture('gatling', 'binary.log'));
  const folder = await folderOf({
    old: old.join('\n'),
    backwards: old.join('\n').replace('1700000000020\t1700000000040', '1700000000040\t1700000000020'),
    cut: old.join('\n').slice(0, -20),
    none: old.slice(0, 2).join('\n'),
  });
  writeFileSync(join(folder, 'short'), binary.subarray(0, binary.length - 3));
  writeFileSync(
    join(folder, 'damaged'),
    Buffer.concat([binary.subarray(0, 600), Buffer.alloc(40, 9), binary.subarray(600)]),
  );
  const read = (/** @type {string} */ name) => imported('gatling', [join(folder, name)], { errorCap: 1 });
  const record = await read('old');
  assert.equal(record.metrics.errors_ratio.count, 5);
  assert.equal(metricValue(record, 'network_errors_ratio'), 0.4);
  assert.equal(metricValue(record, 'status_errors_ratio'), 0.2);
  assert.equal(metricValue(record, 'expectation_errors_ratio'), 0.2);
  assert.deepEqual(Object.keys(record.requests).sort(), ['hello', 'visit / inner / hello']);
  assert.equal(record.groups['visit / inner'].metrics.duration_ms_p50.value, 10);
  for (const [name, message] of /** @type {const} */ ([
    ['backwards', /line 4 has an end that is before its start/],
    ['cut', /line 9 is no line of Gatling's log: "USER browse/],
    ['none', /has no requests$/],
    ['short', /is truncated or damaged: its record \d+ does not end/],
    ['damaged', /is truncated or damaged: its record \d+ /],
  ]))
    await assert.rejects(read(name), { code: 2, message }, name);
});

test('Locust: the figures of its table, by request, as they were named before version 1, too', async () => {
  const record = await imported('locust', [fixture('locust', 'stats.csv')], { time });
  const rows = linesOf('locust', 'stats.csv').map((line) => line.trim().split(','));
  const [head, flaky] = rows;
  const total = rows.find(([, name]) => name === 'Aggregated') ?? [];
  const of = (/** @type {string[]} */ row, /** @type {string} */ name) => Number(row[head.indexOf(name)]);
  for (const [metric, name] of [
    ['p50', '50%'],
    ['p90', '90%'],
    ['p95', '95%'],
    ['p99', '99%'],
    ['mean', 'Average Response Time'],
    ['max', 'Max Response Time'],
  ])
    assert.equal(metricValue(record, `latency_ms_${metric}`), kept(of(total, name)), name);
  assert.equal(metricValue(record, 'errors_ratio'), kept(of(total, 'Failure Count') / of(total, 'Request Count')));
  assert.equal(metricValue(record, 'requests_rps'), kept(of(total, 'Requests/s')));
  assert.deepEqual(Object.keys(record.requests).sort(), ['GET /flaky', 'GET /hello', 'GET /reset']);
  assert.equal(record.requests['GET /flaky'].metrics.latency_ms_p95.value, of(flaky, '95%'));
  assert.match(linesOf('locust', 'summary.txt').join('\n'), /Aggregated +566 +31\(5\.48%\)/);

  const older = [
    '"Method","Name","# requests","# failures","Median response time","Average response time","Min response time","Max response time","Average Content Size","Requests/s"',
    '"GET","/a",10,2,5,6,1,20,13,2.5',
    '"None","Total",10,2,5,6,1,20,13,2.5',
  ].join('\n');
  const folder = await folderOf({ 'old.csv': older, 'cut.csv': linesOf('locust', 'stats.csv').slice(0, 3).join('\n') });
  const old = await imported('locust', [join(folder, 'old.csv')], { time });
  assert.equal(metricValue(old, 'errors_ratio'), 0.2);
  assert.equal(metricValue(old, 'latency_ms_p50'), 5);
  await assert.rejects(imported('locust', [join(folder, 'cut.csv')], { time }), {
    message: /has no row "Aggregated": it is truncated$/,
  });
});
