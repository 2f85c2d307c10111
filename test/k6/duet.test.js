// A block of a duet: every iteration goes to both sides, those of a list of requests and those of a script alike.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { soloCase } from '../../dist/suite/cases/cases.js';
import { drive, errorsOf, root, scenario, steady } from '../support/k6/drive.js';
import { startTarget } from '../support/k6/target.js';

/** @import { Case } from '../../dist/suite/cases/expand.js' */

/** @type {Awaited<ReturnType<typeof startTarget>>[]} */
let targets;
before(async () => {
  targets = [await startTarget(), await startTarget()];
});
after(() => {
  for (const target of targets) target.close();
});
beforeEach(() =>
  targets.forEach((target) => {
    target.seen.length = 0;
  }),
);

const env = () => ({ BASE_URL: targets[0].url, HEAD_URL: targets[1].url });

/** @param {Case} benchCase */
const change = (benchCase) => ({
  ...soloCase(benchCase, { warmup_s: 0.5, seconds: 1.5 }),
  side: /** @type {const} */ ('head'),
});

/** @param {string} path */
const requests = (path) => targets.map((target) => target.of(path).map(({ query }) => query));

test('a list of requests', async () => {
  const driven = await drive({
    spec: scenario('[[scenarios.s.requests]]\nget = "/"\n[[scenarios.s.requests]]\npost = "/things"'),
    env: env(),
    change,
  });
  assert.equal(driven.code, 0, driven.log);
  assert.deepEqual(errorsOf(driven), {});
  for (const path of ['/', '/things']) {
    const [base, head] = requests(path);
    assert.ok(Math.abs(base.length - head.length) <= 1 && base.length > 20, `${base.length} and ${head.length}`);
  }
  const counts = ['base', 'head'].map((side) => steady(driven, 'http_req_failed', 'fails', `side:${side}`));
  assert.ok(counts[0] > 20 && Math.abs(counts[0] - counts[1]) <= 2, counts.join(' '));
});

test('what is drawn at random is the same for both sides', async () => {
  const weighted = ['/a', '/b', '/c'].map((path) => `[[scenarios.s.requests]]\nget = "${path}"\nweight = 1`).join('\n');
  const driven = await drive({ spec: scenario(`order = "weighted"\n${weighted}`), env: env(), change });
  assert.equal(driven.code, 0, driven.log);
  const [base, head] = targets.map(({ seen }) => seen.map(({ path }) => path));
  const both = Math.min(base.length, head.length);
  assert.ok(both > 100 && new Set(base).size === 3, String(both));
  assert.deepEqual(base.slice(0, both), head.slice(0, both));
});

for (const native of [false, true]) {
  const player = native ? 'native' : 'JavaScript';
  test(`random values are the same for both sides, and each has its own logins (${player} player)`, async () => {
    const driven = await drive({
      spec: scenario(
        [
          'get = "/session"\nonce_per_user = true',
          'post = "/things"\nonce_per_user = true\ncapture = { id = { json = "id" } }',
          'get = "/a/${random.int(1, 1000000)}?id=${random.uuid}"\nname = "a"',
          'get = "/b?id=${captured.id}&n=${random.string(8)}"\nname = "b"',
        ]
          .map((text) => `[[scenarios.s.requests]]\n${text}`)
          .join('\n'),
        'executor = "per-vu-iterations"\ncookies = "user"',
      ),
      env: env(),
      change,
      native,
    });
    assert.equal(driven.code, 0, driven.log);
    assert.deepEqual(errorsOf(driven), {});
    const sent = targets.map(({ seen }) => seen.map(({ path, query }) => `${path}?${query}`));
    const both = Math.min(...sent.map(({ length }) => length));
    assert.ok(both > 20, String(both));
    assert.deepEqual(sent[0].slice(0, both), sent[1].slice(0, both));
    assert.equal(new Set(sent[0]).size, sent[0].length, 'another value each time');
    for (const urls of sent) assert.equal(urls.filter((url) => url === '/things?').length, 1);
    assert.match(sent[0][2], /^\/a\/\d{1,7}\?id=[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    for (const { seen } of targets)
      for (const { headers } of seen.slice(2)) assert.match(headers.cookie ?? '', /session=s-1/);
    assert.match(sent[0][3], /^\/b\?id=7&n=[A-Za-z0-9]{8}$/);
  });
}

const script = (/** @type {string} */ body) => `
import http from 'k6/http';
import { bench } from '${join(root, 'k6', 'script.js')}';
export const { options, handleSummary } = bench;
${body}`;

/** @param {string} body @param {string} [more] */
const send = (body, more = '') =>
  drive({
    spec: scenario('', `script = "order.js"\nexecutor = "constant-vus"\nvus = 3\nduration = "9s"\n${more}`),
    files: { 'order.js': script(body), 'items.csv': 'item\na\nb\nc\n' },
    entry: 'order.js',
    env: env(),
    change,
  });

test("a script: its requests, its own by bench.baseUrl, rows and groups are each side's", async () => {
  const driven = await send(
    `
    const read = bench.request({ get: '/read?\${row.item}', name: 'read' });
    export default bench.iteration(({ row, captured }) => {
      if (captured.seen) throw new Error('captured on the other side');
      captured.seen = true;
      bench.group('both', () => {
        read();
        http.get(bench.baseUrl + '/own?' + row.item, { tags: { name: 'own' } });
      });
    });`,
    'rows = { file = "items.csv" }\ngroups = ["both"]',
  );
  assert.equal(driven.code, 0, driven.log);
  assert.deepEqual(errorsOf(driven), {});
  for (const path of ['/read', '/own']) {
    const [base, head] = requests(path);
    const both = Math.min(base.length, head.length);
    assert.ok(both > 20);
    assert.deepEqual(base.slice(0, both), head.slice(0, both), 'the same rows in the same order');
  }
  for (const side of ['base', 'head'])
    assert.ok(steady(driven, 'bench_group_duration', 'count', `group:both,side:${side}`) > 20, side);
});

test('an async script', async () => {
  const driven = await send(`
    export default bench.iteration(async () => {
      await http.asyncRequest('GET', bench.baseUrl + '/first');
      await http.asyncRequest('GET', bench.baseUrl + '/second');
    });`);
  assert.equal(driven.code, 0, driven.log);
  for (const path of ['/first', '/second']) {
    const [base, head] = requests(path).map((list) => list.length);
    assert.ok(base > 20 && Math.abs(base - head) <= 1, `${base} and ${head}`);
  }
});

test('a script that asks for the address before there is a side gets an error that says so', async () => {
  const { code, log } = await send('const home = bench.baseUrl; export default bench.iteration(() => http.get(home));');
  assert.notEqual(code, 0);
  assert.match(log, /in a duet an address is that of a side: ask for it within an iteration/);
});

const drawingScript = `
  export default bench.iteration(({ row }) => {
    const page = Math.floor(Math.random() * 1e9);
    http.get(bench.baseUrl + '/' + page + '?' + row.item, { tags: { name: 'page' } });
    if (Math.random() < 0.5) http.get(bench.baseUrl + '/' + page + '?' + Math.random(), { tags: { name: 'more' } });
  });`;
const drawnRows = 'rows = { file = "items.csv", order = "random" }';
const urls = () => targets.map(({ seen }) => seen.map(({ path, query }) => `${path}?${query}`));

test('a script whose paths are drawn sends the same to both sides', async () => {
  const driven = await send(drawingScript, drawnRows);
  assert.equal(driven.code, 0, driven.log);
  assert.deepEqual(errorsOf(driven), {});
  const [base, head] = urls();
  const both = Math.min(base.length, head.length);
  assert.ok(both > 20 && new Set(base).size > 20, String(both));
  assert.deepEqual(base.slice(0, both), head.slice(0, both));
});

test('a script whose paths are drawn sends the same from two k6 processes with one seed, as in the lanes', async () => {
  const from = (/** @type {string} */ address, SEED = '7 shop/s/load/round-1') =>
    drive({
      spec: scenario('', `script = "order.js"\nexecutor = "per-vu-iterations"\nvus = 2\niterations = 20\n${drawnRows}`),
      files: { 'order.js': script(drawingScript), 'items.csv': 'item\na\nb\nc\n' },
      entry: 'order.js',
      env: { BASE_URL: address, SEED },
    });
  await Promise.all(targets.map(({ url }) => from(url)));
  const [base, head] = urls().map((list) => list.sort());
  assert.ok(base.length > 45 && base.length < 75, String(base.length));
  assert.equal(new Set(base).size, base.length, 'users and iterations draw by themselves');
  assert.deepEqual(base, head);
  await from(targets[0].url, '8 shop/s/load/round-1');
  assert.ok(
    !urls()[0]
      .slice(base.length)
      .some((url) => base.includes(url)),
    'another seed, another sequence',
  );
});
