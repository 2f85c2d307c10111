// What requests look like to the server, for each key of [[requests]].
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { drive, scenario, steady } from '../support/k6/drive.js';
import { startTarget } from '../support/k6/target.js';

/** @import { Drive } from '../support/k6/drive.js' */

/** @type {Awaited<ReturnType<typeof startTarget>>} */
let target;
before(async () => {
  target = await startTarget();
});
after(() => target.close());
beforeEach(() => {
  target.seen.length = 0;
});

/** @param {Omit<Drive, 'env'>} what @param {Record<string, string>} [env] */
const send = (what, env) => drive({ ...what, env: { BASE_URL: target.url, ...env } });

test('methods, paths, queries, headers and bodies arrive as written', async () => {
  const picture = Buffer.from([0, 255, 13, 10, 34, 128, 0]);
  const { code } = await send(
    {
      files: { 'picture.bin': picture },
      environment: { SHOP_TOKEN: 'secret-1' },
      spec: scenario(
        `
[[scenarios.s.requests]]
get = "/a/b?x=1"
query = { q = "two words & more", list = [1, 2], limit = "\${limit}", dollar = "$\${x}" }
headers = { x-token = "\${env.SHOP_TOKEN}", Accept = "text/x" }
[[scenarios.s.requests]]
post = "/text"
body = "grüße"
[[scenarios.s.requests]]
put = "/json"
body = { json = { name = "a \\"b\\"", list = [1, true, { x = 1.5 }], literal = "$\${row.x}" } }
[[scenarios.s.requests]]
patch = "/form"
body = { form = { q = "a b&c=d", list = ["1", "2"], umlaut = "ü" } }
[[scenarios.s.requests]]
post = "/file"
body = { file = "picture.bin", type = "image/x" }
[[scenarios.s.requests]]
post = "/bytes"
body = { bytes = "10kB" }
[[scenarios.s.requests]]
post = "/typed"
headers = { content-type = "text/csv" }
body = "a,b"
[[scenarios.s.requests]]
delete = "/delete"
[[scenarios.s.requests]]
head = "/head"
[[scenarios.s.requests]]
options = "/options"
[[scenarios.s.requests]]
get = "${target.url}/elsewhere"
`,
        undefined,
        'parameters = { limit = 5 }',
      ).replace('[scenarios.s]', `hosts = ["${target.url}"]\n[scenarios.s]`),
    },
    { BASE_URL: `${target.url}/base/` },
  );
  assert.equal(code, 0);
  const [first, ...rest] = target.seen;
  assert.equal(first.method, 'GET');
  assert.equal(first.path, '/base/a/b');
  assert.equal(first.query, 'x=1&q=two%20words%20%26%20more&list=1&list=2&limit=5&dollar=%24%7Bx%7D');
  assert.equal(first.headers['x-token'], 'secret-1');
  assert.equal(first.headers.accept, 'text/x');
  assert.deepEqual(
    rest.map(({ method, path }) => `${method} ${path}`),
    [
      'POST /base/text',
      'PUT /base/json',
      'PATCH /base/form',
      'POST /base/file',
      'POST /base/bytes',
      'POST /base/typed',
      'DELETE /base/delete',
      'HEAD /base/head',
      'OPTIONS /base/options',
      'GET /elsewhere',
    ],
  );
  const [text, json, form, file, bytes, typed] = rest;
  assert.equal(text.body.toString(), 'grüße');
  assert.equal(text.headers['content-type'], 'text/plain; charset=utf-8');
  assert.deepEqual(JSON.parse(json.body.toString()), {
    name: 'a "b"',
    list: [1, true, { x: 1.5 }],
    literal: '${row.x}',
  });
  assert.equal(json.headers['content-type'], 'application/json');
  assert.equal(form.body.toString(), 'q=a+b%26c%3Dd&list=1&list=2&umlaut=%C3%BC');
  assert.equal(form.headers['content-type'], 'application/x-www-form-urlencoded');
  assert.deepEqual(file.body, picture);
  assert.equal(file.headers['content-type'], 'image/x');
  assert.equal(bytes.body.length, 10_000);
  assert.equal(bytes.headers['content-length'], '10000');
  assert.equal(bytes.headers['content-type'], 'application/octet-stream');
  assert.equal(typed.headers['content-type'], 'text/csv');
});

test('values captured by JSON path, pattern, header and cookie go to later requests, encoded', async () => {
  const { code, metrics } = await send({
    spec: scenario(`
[[scenarios.s.requests]]
get = "/things"
[scenarios.s.requests.capture]
id = { json = "id" }
who = { json = "user.name" }
ticket = { regex = "ticket=([^;]+);" }
whole = { regex = "tic.et" }
token = { header = "x-token" }
seat = { cookie = "seat" }
made = { header = "location" }
[[scenarios.s.requests]]
post = "/use/\${captured.ticket}/\${captured.id}?ticket=\${captured.ticket}"
headers = { X-Token = "\${captured.token}-\${captured.seat}" }
body = { json = { id = "\${captured.id}", text = "id \${captured.id}", who = "\${captured.who}" } }
[[scenarios.s.requests]]
get = "\${captured.made}"
[[scenarios.s.requests]]
post = "/form"
body = { form = { ticket = "\${captured.ticket} \${captured.whole}" } }
`),
  });
  assert.equal(code, 0);
  const [, use, made, form] = target.seen;
  assert.equal(use.path, '/use/abc/123/7');
  assert.equal(use.query, 'ticket=abc%2F123');
  assert.equal(use.headers['x-token'], 't-42-c-9');
  assert.deepEqual(JSON.parse(use.body.toString()), { id: 7, text: 'id 7', who: 'Ada' });
  assert.equal(`${made.path}?${made.query}`, '/made/7?x=1');
  assert.equal(form.body.toString(), 'ticket=abc%2F123+ticket');
  const names = Object.keys(metrics).filter((key) => key.startsWith('http_req_duration{phase:steady,name:'));
  assert.deepEqual(names.map((key) => key.slice('http_req_duration{phase:steady,name:'.length, -1)).sort(), [
    'GET ${captured.made}',
    'GET /things',
    'POST /form',
    'POST /use/${captured.ticket}/${captured.id}',
  ]);
});

test('redirects are followed as often as asked, and an expected status is that of the last answer', async () => {
  const driven = await send({
    spec: scenario(`
[[scenarios.s.requests]]
get = "/redirect"
name = "followed"
expect = { status = 200 }
[[scenarios.s.requests]]
get = "/redirect"
name = "seen"
redirects = 0
expect = { status = 302, headers = { Location = "/landed" } }
[[scenarios.s.requests]]
get = "/redirect"
name = "unwanted"
redirects = 0
expect = { status = 200 }
`),
  });
  assert.deepEqual(
    target.seen.map(({ path }) => path),
    ['/redirect', '/landed', '/redirect', '/redirect'],
  );
  assert.equal(steady(driven, 'http_req_failed', 'passes'), 1);
  assert.equal(steady(driven, 'bench_status_errors', 'count'), 1);
  assert.equal(steady(driven, 'bench_status_errors', 'count', 'name:unwanted'), 1);
});

test('think time pauses after a request: constant, uniform and normal', async () => {
  await send({
    spec: scenario(
      `
[[scenarios.s.requests]]
get = "/constant"
think = "200ms"
[[scenarios.s.requests]]
get = "/uniform"
think = { mean = "100ms", deviation = "50ms" }
[[scenarios.s.requests]]
get = "/normal"
think = { mean = "50ms", deviation = "20ms", distribution = "normal" }
`,
      'executor = "per-vu-iterations"\niterations = 4',
    ),
  });
  const pauses = (/** @type {string} */ path) =>
    target.seen.slice(0, -1).flatMap((one, i) => (one.path === path ? [target.seen[i + 1].at - one.at] : []));
  assert.equal(pauses('/constant').length, 4);
  assert.ok(
    pauses('/constant').every((ms) => ms >= 195),
    String(pauses('/constant')),
  );
  assert.ok(
    pauses('/uniform').every((ms) => ms >= 45),
    String(pauses('/uniform')),
  );
  assert.ok(new Set(pauses('/uniform')).size > 1 || new Set(pauses('/normal')).size > 1, 'all pauses are equal');
});

test('cookies live as long as an iteration, or as the user', async () => {
  const requests = '[[scenarios.s.requests]]\nget = "/session"';
  const load = 'executor = "per-vu-iterations"\nvus = 2\niterations = 3\n';
  await send({ spec: scenario(requests, `${load}cookies = "iteration"`) });
  assert.deepEqual(
    target.seen.map(({ headers }) => headers.cookie),
    Array(6).fill(undefined),
  );
  target.seen.length = 0;
  await send({ spec: scenario(requests, `${load}cookies = "user"`) });
  assert.equal(target.seen.filter(({ headers }) => headers.cookie === undefined).length, 2);
  assert.equal(target.seen.filter(({ headers }) => headers.cookie === 'session=s-1').length, 4);
});

test('connections are kept, or made anew for each iteration or request', async () => {
  const requests = '[[scenarios.s.requests]]\nget = "/a"\n[[scenarios.s.requests]]\nget = "/b"';
  const counted = async (/** @type {string} */ connections) => {
    target.seen.length = 0;
    const load = `executor = "per-vu-iterations"\niterations = 4\nconnections = "${connections}"`;
    await send({ spec: scenario(requests, load) });
    return new Set(target.seen.map(({ connection }) => connection)).size;
  };
  assert.deepEqual([await counted('reuse'), await counted('iteration'), await counted('request')], [1, 4, 8]);
});

test('one of several requests is sent by weight', async () => {
  const driven = await send({
    spec: scenario(
      `
[[scenarios.s.requests]]
get = "/often"
weight = 8
[[scenarios.s.requests]]
get = "/sometimes"
weight = 1.5
[[scenarios.s.requests]]
get = "/seldom"
weight = 0.5
`,
      'executor = "shared-iterations"\nvus = 4\niterations = 4000',
    ),
  });
  const shares = ['/often', '/sometimes', '/seldom'].map((path) => target.of(path).length / 4000);
  const wanted = [0.8, 0.15, 0.05];
  const deviations = wanted.map((share) => Math.sqrt((share * (1 - share)) / 4000));
  for (const [i, share] of shares.entries()) {
    assert.ok(Math.abs(share - wanted[i]) < 5 * deviations[i], String(shares));
  }
  assert.equal(steady(driven, 'http_req_duration', 'count', 'name:GET /seldom'), target.of('/seldom').length);
});
