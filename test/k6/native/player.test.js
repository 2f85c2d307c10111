// What only the native player has, and what it must do for k6 and for the reduction.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { schemaVersion } from '../../../reports/schema/version.js';
import { expandCases, parseToml, soloCase } from '../../../src/spec/index.js';
import { findTool } from '../../../src/tools/find.js';
import { root } from '../../support/k6/drive.js';
import { startRecorder } from './server.js';

const { path: k6 } = await findTool('k6');
const { path: jq } = await findTool('jq');
const suite = mkdtempSync(join(tmpdir(), 'benchfolio-native-'));
const folder = join(suite, 'specs', 'shop');
mkdirSync(folder, { recursive: true });
const server = await startRecorder();
after(() => {
  server.close();
  rmSync(suite, { recursive: true });
});

/** @param {string} load @param {string} requests */
const specOf = (load, requests) =>
  `title = "Shop"\n[environments.local]\nurl = "http://127.0.0.1:1"\n[scenarios.s]\n${load}\n${requests}`;
const get = (/** @type {string} */ path, more = '') => `[[scenarios.s.requests]]\nget = "${path}"\n${more}\n`;

/**
 * @param {string} spec
 * @param {{ env?: Record<string, string>, args?: string[], interrupt?: number, url?: string }} [options] interrupt: ms
 * @returns {Promise<{ code: number | null, log: string, out: string, metrics: Record<string, any>, file: (name: string) => string }>}
 */
function play(spec, { env = {}, args = [], interrupt, url = server.url } = {}) {
  const place = mkdtempSync(join(suite, 'run-'));
  const file = (/** @type {string} */ name) => join(place, name);
  writeFileSync(join(folder, 'spec.toml'), spec);
  const given = {
    ...(env.CASE ? {} : { SPEC: join(folder, 'spec.toml') }),
    BASE_URL: url,
    SUMMARY: file('summary.json'),
    HISTOGRAMS: file('histograms.ndjson'),
    ...env,
  };
  return new Promise((done) => {
    const child = spawn(
      k6,
      [
        'run',
        '--no-usage-report',
        '--no-color',
        ...args,
        ...Object.entries(given).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
        join(root, 'k6', 'native.js'),
      ],
      { cwd: suite, env: { ...process.env, PWD: suite, K6_AUTO_EXTENSION_RESOLUTION: 'false' }, timeout: 40_000 },
    );
    let [log, out] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      log += chunk;
    });
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      out += chunk;
    });
    if (interrupt) setTimeout(() => child.kill('SIGINT'), interrupt);
    child.on('close', (code) => {
      const metrics = existsSync(file('summary.json'))
        ? JSON.parse(readFileSync(file('summary.json'), 'utf8')).metrics
        : {};
      done({ code, log, out, metrics, file });
    });
  });
}

/** @param {string} program @param {string} file @returns {any} */
function jqOf(program, file) {
  const { stdout, stderr } = spawnSync(jq, ['-n', '-c', '-L', join(root, 'reports'), program, file], {
    encoding: 'utf8',
  });
  return JSON.parse(stdout || `"${stderr}"`);
}

const steady = 'executor = "constant-vus"\nvus = 3\nduration = "3s"\nwindow = { from = "1s", to = "2s" }';

test('phases are told apart, and the timeline is one that the reduction reads', async () => {
  const { metrics, file, code, log } = await play(specOf(steady, get('/slow/50') + get('/a')));
  assert.equal(code, 0, log);
  const count = metrics['http_req_duration{phase:steady}'].values.count;
  assert.ok(count > 60 && count < 130, `${count} requests in the window`);
  assert.equal(metrics['http_req_duration{phase:steady,name:GET /a}'].values.count * 2, count);
  assert.ok(metrics.bench_begun_after.values.count > 0);
  const rows = jqOf(
    'import "lib/reduce/histograms" as h; [foreach inputs as $line ({}; h::step($line); .out | values | select(.total | not))]',
    file('histograms.ndjson'),
  );
  const all = rows.reduce((/** @type {number} */ sum, /** @type {any} */ row) => sum + row.requests, 0);
  assert.equal(all, metrics.http_reqs.values.count);
  assert.deepEqual(Object.keys(rows[0].by_name).sort(), ['GET /a', 'GET /slow/50']);
  assert.ok(rows[0].users === 3 && rows[0].p50 > 0 && rows[0].max >= rows[0].p99);
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

test('a summary has the quantiles of a record, and two latencies of an arrival rate', async () => {
  const load = 'executor = "constant-arrival-rate"\nrate = 200\nduration = "1s"\npreAllocatedVUs = 4';
  const { metrics } = await play(specOf(load, get('/slow/40')));
  const { values } = metrics['http_req_duration{phase:steady}'];
  assert.equal(Object.keys(values).filter((key) => key.startsWith('p(')).length, 101);
  assert.ok(values['p(0)'] <= values.med && values.med <= values['p(99)'] && values['p(100)'] === values.max);
  const intended = metrics.bench_intended_duration.values;
  const { count: dropped } = metrics.dropped_iterations.values;
  assert.equal(intended.count, values.count + dropped, 'what was dropped is not left out');
  assert.ok(intended.max > 3 * values.med, `${intended.max} ms: half of what is due waits`);
  assert.ok(metrics.bench_lateness.values.count === values.count);
});

test('thresholds decide the exit code', async () => {
  const limited = (/** @type {string} */ threshold) =>
    specOf(`executor = "per-vu-iterations"\niterations = 20\nthresholds = { ${threshold} }`, get('/slow/20'));
  assert.equal((await play(limited('http_req_duration = "p(95)<5"'))).code, 99);
  const met = await play(
    limited('http_req_duration = "p(95)<2000", http_reqs = "count>=20", iteration_duration = "avg>19"'),
  );
  assert.equal(met.code, 0, met.log);
  assert.deepEqual(met.metrics['http_req_duration{phase:steady}'].thresholds, { 'p(95)<2000': { ok: true } });
  const unknown = await play(limited('"http_req_duration{status:200}" = "p(95)<5"'));
  assert.match(unknown.log, /asks for the tag \\"status\\", which the native player does not have/);
});

test('an interrupt ends the load, and what was counted is kept', async () => {
  const { code, metrics, file } = await play(
    specOf('executor = "constant-vus"\nvus = 3\nduration = "20s"', get('/slow/100')),
    { interrupt: 2500 },
  );
  assert.equal(code, 105);
  assert.ok(metrics['http_req_duration{phase:steady}'].values.count > 10);
  assert.ok(readFileSync(file('histograms.ndjson'), 'utf8').includes('"total":true'));
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

test('processes that share a load share its rows and its rate', async () => {
  writeFileSync(join(folder, 'r.csv'), 'id\n0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n');
  const before = server.seen.length;
  const load = 'executor = "shared-iterations"\nvus = 4\niterations = 10\nrows = { file = "r.csv" }';
  for (const segment of ['0:1/2', '1/2:1']) {
    await play(specOf(load, get('/seg/${row.id}')), {
      args: ['--execution-segment', segment, '--execution-segment-sequence', '0,1/2,1'],
    });
  }
  assert.deepEqual(
    server.seen
      .slice(before)
      .map(({ target }) => target)
      .sort(),
    Array.from({ length: 10 }, (_, i) => `/seg/${i}`),
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
    assert.ok(base > 20 && Math.abs(base - other) <= 1, `${base} and ${other}`);
    const sent = (/** @type {any[]} */ seen) =>
      seen.map(({ target, headers }) => [target, headers.includes('Cookie')].join());
    const [one, two] = [sent(server.seen.slice(before)), sent(head.seen)];
    const length = Math.min(one.length, two.length);
    assert.deepEqual(one.slice(0, length), two.slice(0, length));
  } finally {
    head.close();
  }
});

test('what is around a fault is counted by itself', async () => {
  const odd = createServer((_, response) => response.end('ok')).listen(0, '127.0.0.1');
  await new Promise((done) => odd.once('listening', done));
  const { port } = /** @type {import('node:net').AddressInfo} */ (odd.address());
  setTimeout(() => {
    odd.close();
    odd.closeAllConnections();
  }, 2200 + 600);
  const spec = specOf(
    'executor = "constant-vus"\nvus = 2\nduration = "4s"\nfaults = [{ service = "app", action = "kill", at = "2s", for = "1s", recover_within = "500ms" }]',
    get('/a', 'think = "20ms"'),
  ).replace('[scenarios.s]', '[[environments.local.services]]\nname = "app"\ncommand = ["true"]\n[scenarios.s]');
  const { metrics, log } = await play(spec, { url: `http://127.0.0.1:${port}` });
  assert.ok(metrics['http_req_failed{phase:fault}']?.values.passes > 0, log);
  const errors = metrics['bench_fault_errors{fault:1}'].values;
  assert.equal(errors.count, metrics['http_req_failed{phase:fault}'].values.passes);
  assert.ok(errors.min < 0 && errors.max > 0 && errors.max <= 600, JSON.stringify(errors));
  odd.close();
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
