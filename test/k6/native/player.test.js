// What only the native player has, and what it must do for k6 and for the reduction.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { expandCases, parseToml, soloCase } from '../../../dist/suite/cases/cases.js';
import { schemaVersion } from '../../../reports/schema/version.js';
import { folder, get, jqOf, play, server, specOf, steady, suite } from './play.js';
import { startRecorder } from './server.js';

test('phases are told apart, and the timeline is one that the reduction reads', async () => {
  const { metrics, file, code, log } = await play(specOf(steady, get('/slow/50') + get('/a')));
  assert.equal(code, 0, log);
  const count = metrics['http_req_duration{phase:steady}'].values.count;
  assert.ok(count > 0);
  assert.equal(metrics['http_req_duration{phase:steady,name:GET /a}'].values.count * 2, count);
  assert.ok(metrics.bench_begun_after.values.count > 0);
  const rows = jqOf(
    'import "lib/reduce/histograms" as h; [foreach inputs as $line ({}; h::step($line); .out | values | select(.total | not))]',
    file('histograms.ndjson'),
  );
  const all = rows.reduce((/** @type {number} */ sum, /** @type {any} */ row) => sum + row.requests, 0);
  assert.equal(all, metrics.http_reqs.values.count);
  assert.deepEqual(Object.keys(rows[0].by_name).sort(), ['GET /a', 'GET /slow/50']);
  assert.ok(rows[0].p50 > 0 && rows[0].max >= rows[0].p99);
});

test('histograms of a file add up in jq to what the summary says', async () => {
  const { metrics, file } = await play(specOf(steady, get('/a')));
  const program = `[inputs] | .[0] as $head | [.[1:][] | select((.total | not) and .tags.phase == "steady" and .tags.name)] as $lines
    | { format: $head.format, requests: ([$lines[].counts.http_reqs] | add), max: ([$lines[].times.http_req_duration.max] | max),
        count: ([$lines[].times.http_req_duration.buckets | [.[range(1; length; 2)]] | add] | add),
        sum: ([$lines[].times.http_req_duration.sum] | add) }`;
  const { values } = metrics['http_req_duration{phase:steady}'];
  const sum = jqOf(program, file('histograms.ndjson'));
  assert.deepEqual([sum.format, sum.requests, sum.count], ['benchfolio-histograms', values.count, values.count]);
  assert.ok(Math.abs(sum.max / 1e6 - values.max) < 1e-9 && Math.abs(sum.sum / 1e6 / values.count - values.avg) < 1e-6);
});

test('thresholds decide the exit code', async () => {
  const limited = (/** @type {string} */ threshold) =>
    specOf(`executor = "per-vu-iterations"\niterations = 20\nthresholds = { ${threshold} }`, get('/slow/20'));
  assert.equal((await play(limited('http_req_duration = "p(95)<5"'))).code, 99);
  const met = await play(
    limited('http_req_duration = "p(95)<1000000", http_reqs = "count>=20", iteration_duration = "avg>19"'),
  );
  assert.equal(met.code, 0, met.log);
  assert.deepEqual(met.metrics['http_req_duration{phase:steady}'].thresholds, { 'p(95)<1000000': { ok: true } });
  const unknown = await play(limited('"http_req_duration{status:200}" = "p(95)<5"'));
  assert.match(unknown.log, /asks for the tag \\"status\\", which the native player does not have/);
});

test('a resolved case is all that is needed', async () => {
  const spec = parseToml(
    specOf('executor = "per-vu-iterations"\niterations = 4\nrows = { file = "r.csv" }', get('/case/${row.id}')),
  );
  writeFileSync(join(folder, 'r.csv'), 'id\n1\n2\n');
  const [benchCase] = expandCases({ spec, system: 'shop' });
  writeFileSync(join(suite, 'case.json'), JSON.stringify({ schema: schemaVersion, root: suite, case: benchCase }));
  const before = server.seen.length;
  const { code, log } = await play('', { env: { CASE: 'case.json' } });
  assert.equal(code, 0, log);
  assert.deepEqual(
    server.seen.slice(before).map(({ target }) => target),
    ['/case/1', '/case/2', '/case/1', '/case/2'],
  );
});

test('both sides of a duet get the same, by side', async () => {
  const head = await startRecorder();
  try {
    const before = server.seen.length;
    const spec = parseToml(
      specOf('executor = "constant-vus"\nduration = "9s"', get('/a', 'weight = 1') + get('/session', 'weight = 1')),
    );
    const [benchCase] = expandCases({ spec, system: 'shop' });
    const solo = { ...soloCase(benchCase, { warmup_s: 1, seconds: 1 }), side: 'base' };
    writeFileSync(join(suite, 'case.json'), JSON.stringify({ schema: schemaVersion, root: suite, case: solo }));
    const { metrics, log, code } = await play('', { env: { CASE: 'case.json', HEAD_URL: head.url } });
    assert.equal(code, 0, log);
    const [base, other] = ['base', 'head'].map(
      (side) => metrics[`http_req_duration{phase:steady,side:${side}}`].values.count,
    );
    assert.ok(base > 0 && Math.abs(base - other) <= 1, `${base} and ${other}`);
    const sent = (/** @type {any[]} */ seen) =>
      seen.map(({ target, headers }) => [target, headers.includes('Cookie')].join());
    const [one, two] = [sent(server.seen.slice(before)), sent(head.seen)];
    const length = Math.min(one.length, two.length);
    assert.deepEqual(one.slice(0, length), two.slice(0, length));
  } finally {
    head.close();
  }
});

test('a load that is over ends the request under way, also on a connection that is older than another', async () => {
  const other = await startRecorder();
  try {
    const spec = specOf(
      'executor = "constant-vus"\nvus = 1\nduration = "1s"\ngracefulStop = "0s"',
      get('/a') + get(`${other.url}/a`) + get('/slow/60000'),
    ).replace('[scenarios.s]', `hosts = ["${other.url}"]\n$&`);
    const { code, log, metrics } = await play(spec);
    assert.equal(code, 0, log); // one that goes on for a minute is killed before
    assert.equal(metrics['http_req_duration{phase:steady,name:GET /a}'].values.count, 1);
  } finally {
    other.close();
  }
});

test('a user that was cut off begins anew, on another connection', async () => {
  const phase = (/** @type {string} */ duration, /** @type {number} */ target) =>
    `{ duration = "${duration}", target = ${target} }`;
  const stages = [phase('500ms', 1), phase('0s', 0), phase('500ms', 0), phase('0s', 1), phase('500ms', 1)];
  const load = `executor = "ramping-vus"\nstartVUs = 1\ngracefulRampDown = "0s"\ngracefulStop = "0s"\nstages = [${stages}]`;
  const before = server.seen.length;
  const { code, log, metrics } = await play(specOf(load, get('/a') + get('/slow/60000')));
  assert.equal(code, 0, log);
  const seen = server.seen.slice(before).map(({ target }) => target);
  assert.deepEqual(seen, ['/a', '/slow/60000', '/a', '/slow/60000']);
  assert.equal(metrics.http_reqs.values.count, 2, 'the others were cut off');
});

test('options of k6 that it does not know are refused, and so are patterns that look ahead', async () => {
  const spec = specOf('executor = "per-vu-iterations"', get('/a'));
  const limited = await play(spec, { args: ['--rps', '5'] });
  assert.equal(limited.code, 104);
  assert.match(limited.log, /the native player does not know k6's option rps: drop it, or run k6\/main\.js/);
  const ahead = await play(
    specOf('executor = "per-vu-iterations"', get('/a', 'expect = { body = { matches = "o(?=k)" } }')),
  );
  assert.match(ahead.log, /the JavaScript player may know it/);
});
