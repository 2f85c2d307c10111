// The load: executors, the measured window, thresholds, and what plain k6 says at the end.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { drive, scenario, steady } from './k6/drive.js';
import { startTarget } from './k6/target.js';

/** @type {Awaited<ReturnType<typeof startTarget>>} */
let target;
before(async () => { target = await startTarget(); });
after(() => target.close());
beforeEach(() => { target.seen.length = 0; });

const get = '[[scenarios.s.requests]]\nget = "/"\n';
const send = (/** @type {string} */ load, /** @type {Partial<import('./k6/drive.js').Drive>} */ { env, ...more } = {}) =>
  drive({ spec: scenario(get, load), ...more, env: { BASE_URL: target.url, ...env } });
/** @param {import('./k6/drive.js').Driven} driven @returns {number} epoch milliseconds */
const startOf = ({ metrics }) => metrics.bench_started.values.min;

test('the window holds the iterations that start in it, and no others', async () => {
  const driven = await send('executor = "constant-arrival-rate"\nrate = 200\nduration = "3s"\npreAllocatedVUs = 10\nwindow = { from = "1s", to = "2s" }');
  const began = startOf(driven);
  const within = target.seen.filter(({ at }) => at >= began + 1000 && at < began + 2000).length;
  const counted = steady(driven, 'http_req_failed', 'fails');
  assert.equal(target.seen.length, driven.metrics.http_reqs.values.count);
  // the server sees a request a moment after its iteration started: at 200/s only those at the edges can differ
  assert.ok(Math.abs(counted - within) <= 4, `${counted} counted, ${within} seen`);
  assert.ok(Math.abs(counted - 200) <= 4, String(counted));
  for (const metric of ['iterations', 'http_req_duration', 'http_req_waiting']) assert.equal(steady(driven, metric, 'count'), counted, metric);
  const all = driven.metrics.data_sent.values.count;
  assert.ok(Math.abs(steady(driven, 'data_sent', 'count') / all - counted / target.seen.length) < 0.01);
  assert.equal(driven.metrics.bench_ended, undefined);
});

test('without a window everything is measured; iterations that are counted say when they ended', async () => {
  const driven = await send('executor = "shared-iterations"\nvus = 3\niterations = 30');
  assert.equal(steady(driven, 'http_req_failed', 'fails'), 30);
  const [began, ended] = [startOf(driven), driven.metrics.bench_ended.values.max];
  assert.ok(began <= target.seen[0].at && ended >= target.seen[29].at, `${began} ${ended}`);
});

test('a part of a cut window lasts as long as its share, after the same warm-up', async () => {
  const driven = await send('executor = "constant-arrival-rate"\nrate = 100\nduration = "5s"\npreAllocatedVUs = 5\nwindow = { from = "1s" }', { env: { DURATION_SHARE: '3/4' } });
  const began = startOf(driven);
  const spread = target.seen[target.seen.length - 1].at - began;
  assert.ok(spread > 1900 && spread < 2500, String(spread));
  assert.ok(Math.abs(steady(driven, 'iterations', 'count') - 100) <= 3, String(steady(driven, 'iterations', 'count')));
});

test('every executor of k6 runs', async () => {
  const loads = {
    'shared-iterations': ['vus = 2\niterations = 7', 7],
    'per-vu-iterations': ['vus = 2\niterations = 7', 14],
    'constant-vus': ['vus = 2\nduration = "1s"', null],
    'ramping-vus': ['startVUs = 1\nstages = [{ duration = "500ms", target = 3 }, { duration = "500ms", target = 0 }]\ngracefulRampDown = "1s"', null],
    'constant-arrival-rate': ['rate = 300\ntimeUnit = "10s"\nduration = "1s"\npreAllocatedVUs = 2\nmaxVUs = 4', 30],
    'ramping-arrival-rate': ['startRate = 20\nstages = [{ duration = "1s", target = 40 }]\npreAllocatedVUs = 4', 30],
  };
  await Promise.all(Object.entries(loads).map(async ([executor, [load, count]]) => {
    const path = `/${executor}`;
    const driven = await drive({
      spec: scenario(`[[scenarios.s.requests]]\nget = "${path}"\nthink = "10ms"`, `executor = "${executor}"\ngracefulStop = "2s"\n${load}`),
      env: { BASE_URL: target.url },
    });
    const seen = target.of(path).length;
    assert.equal(driven.code, 0, `${executor}: ${driven.log}`);
    assert.equal(steady(driven, 'iterations', 'count'), seen, executor);
    if (count === null) assert.ok(seen > 20, `${executor}: ${seen}`);
    else assert.ok(Math.abs(seen - Number(count)) <= (executor.endsWith('rate') ? 2 : 0), `${executor}: ${seen}`);
  }));
});

test('a missed threshold of level fail ends plain k6 with 99, in the window and by request; a warning does not', async () => {
  const load = `executor = "constant-arrival-rate"
rate = 100
duration = "2s"
preAllocatedVUs = 5
window = { from = "1s" }
[scenarios.s.thresholds]
http_reqs = ["rate>80", "rate<120", "count<=110"]
"http_req_duration{name:GET /}" = ["p(95)<1000", { expr = "p(95)<0", level = "warn" }]
"http_reqs{status:200}" = "count>80"
memory_bytes = "max<1"`;
  const kept = await send(load.replace('memory_bytes', '# memory_bytes'));
  assert.equal(kept.code, 0, JSON.stringify(Object.entries(kept.metrics).filter(([, { thresholds }]) => thresholds)));
  const { thresholds = {} } = kept.metrics['http_reqs{phase:steady}'];
  assert.deepEqual(Object.keys(thresholds).sort(), ['count<120', 'count<=110', 'count>80']); // a rate of the window, not of k6's whole run
  const missed = await send(load.replace('rate>80', 'rate>150'));
  assert.equal(missed.code, 99);
});

test('without SUMMARY the end is a short text, with what could not be judged', async () => {
  const { code, stdout } = await drive({
    spec: scenario(`[[scenarios.s.requests]]
get = "/"
[[scenarios.s.requests]]
get = "/status/500"
[scenarios.s.thresholds]
http_req_failed = "rate<0.1"
memory_bytes = "max<1e9"
`, 'executor = "per-vu-iterations"\niterations = 10').replace('[scenarios.s]\n', '[[environments.local.services]]\nname = "app"\ncommand = ["true"]\n[scenarios.s]\n'),
    env: { BASE_URL: target.url.replace('//', '//me:secret@'), SUMMARY: '' },
  });
  assert.equal(code, 99);
  assert.match(stdout, new RegExp(`^s \\(s\\) at ${target.url}, from 0 s to the end$`, 'm'));
  assert.match(stdout, /^ {2}requests +20$/m);
  assert.match(stdout, /^ {2}errors +0 without a response, 10 unexpected statuses, 0 failed expectations, 0 exceptions$/m);
  assert.match(stdout, /^ {4}GET \/status\/500 {2}10, p50 [\d.]+ ms/m);
  assert.match(stdout, /^ {2}missed http_req_failed\{phase:steady\} rate<0\.1$/m);
  assert.match(stdout, /^ {2}left +memory_bytes max<1e9 \(on services: /m);
  assert.doesNotMatch(stdout, /secret/);
});

test('GOGC and other settings of Go are the caller\'s', async () => {
  await drive({
    spec: scenario('[[scenarios.s.requests]]\nget = "/"\nheaders = { X-Gogc = "${env.GOGC}" }'),
    env: { BASE_URL: target.url }, environment: { GOGC: '123' },
  });
  assert.equal(target.seen[0].headers['x-gogc'], '123');
});
