// Redirects are followed where the spec's requests may go, and nowhere else.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { drive, errorsOf, scenario, steady } from '../support/k6/drive.js';
import { startTarget } from '../support/k6/target.js';

/** @typedef {Awaited<ReturnType<typeof startTarget>>} TestTarget */

/** @type {TestTarget} */
let target;
/** Of somebody else. @type {TestTarget} */
let other;
before(async () => {
  [target, other] = await Promise.all([startTarget(), startTarget()]);
});
after(() => {
  target.close();
  other.close();
});
beforeEach(() => {
  target.seen.length = 0;
  other.seen.length = 0;
});

/**
 * @param {string} requests
 * @param {{ hosts?: string[], environment?: Record<string, string> }} [options]
 */
const send = (requests, { hosts = [], environment = {} } = {}) =>
  drive({
    spec: scenario(requests).replace('[scenarios.s]', `hosts = ${JSON.stringify(hosts)}\n[scenarios.s]`),
    env: { BASE_URL: target.url },
    environment,
  });

/** @param {string} to @param {number} [status] */
const redirect = (to, status = 302) => `/go/${status}?to=${encodeURIComponent(to)}`;
const paths = (/** @type {TestTarget} */ of) => of.seen.map(({ method, path }) => `${method} ${path}`);

test('another host, port or scheme is never asked, and the request has failed', async () => {
  const away = [
    `${other.url}/away`,
    `//127.0.0.1:${new URL(other.url).port}/away`,
    target.url.replace('http:', 'https:'),
    target.url.replace('127.0.0.1', 'localhost'),
    `http://127.0.0.1:80@127.0.0.1:${new URL(other.url).port}/away`,
    'ftp://127.0.0.1/away',
    'http://',
  ];
  const requests = away.map((to, i) => `[[scenarios.s.requests]]\nget = '${redirect(to)}'\nname = "to ${i}"`);
  const driven = await send(requests.join('\n'));
  assert.deepEqual(other.seen, []);
  assert.deepEqual(
    paths(target),
    away.map(() => 'GET /go/302'),
  );
  assert.deepEqual(errorsOf(driven), { failed_expectations: away.length });
  assert.match(driven.log, new RegExp(`a redirect to ${other.url}, which the spec does not name`));
});

test('the one request of a user does not follow either, by its faster way', async () => {
  const driven = await send(`[[scenarios.s.requests]]\nget = '${redirect(`${other.url}/away`)}'`);
  assert.deepEqual(other.seen, []);
  assert.deepEqual(errorsOf(driven), { failed_expectations: 1 });
});

test('a named host is followed to, without the headers of the request', async () => {
  const driven = await send(
    `[[scenarios.s.requests]]
get = '${redirect(`${other.url}/there?x=1`)}'
headers = { X-Token = "\${env.TOKEN}" }
expect = { status = 200 }`,
    { hosts: [other.url], environment: { TOKEN: 'Secr3t' } },
  );
  assert.deepEqual(errorsOf(driven), {});
  assert.deepEqual(paths(other), ['GET /there']);
  assert.equal(target.seen[0].headers['x-token'], 'Secr3t');
  assert.equal(other.seen[0].headers['x-token'], undefined);
  assert.equal(other.seen[0].query, 'x=1');
});

test('at home they are followed with headers, relative or not; method and body stay with 307 and 308', async () => {
  const driven = await send(`
[[scenarios.s.requests]]
post = '${redirect('../kept?a=b#fragment', 307)}'
headers = { X-Token = "t" }
body = "whole"
expect = { status = 200 }
[[scenarios.s.requests]]
post = '${redirect(`${'/seen'}`, 303)}'
name = "see other"
body = "whole"
[[scenarios.s.requests]]
head = '${redirect('/head')}'
`);
  assert.deepEqual(errorsOf(driven), {});
  assert.deepEqual(paths(target), [
    'POST /go/307',
    'POST /kept',
    'POST /go/303',
    'GET /seen',
    'HEAD /go/302',
    'HEAD /head',
  ]);
  assert.equal(target.seen[1].body.toString(), 'whole');
  assert.equal(target.seen[1].headers['x-token'], 't');
  assert.equal(target.seen[1].query, 'a=b');
  assert.equal(target.seen[3].body.toString(), '');
});

test('a loop ends', async () => {
  const driven = await send(`[[scenarios.s.requests]]
get = "/go/302?to=%3Fto%3D%253Fto%3D"
redirects = 3
expect = { status = 200 }`);
  assert.ok(target.seen.length <= 4, String(target.seen.length));
  assert.equal(steady(driven, 'bench_status_errors', 'count'), 1);
});

test('an address from data leads to no other host', async () => {
  const driven = await drive({
    spec: scenario(
      'rows = { file = "links.csv" }\n[[scenarios.s.requests]]\nget = "${row.link}"',
      'executor = "per-vu-iterations"\niterations = 2',
    ),
    files: { 'links.csv': `link\n${other.url}/away\n${target.url}/home\n` },
    env: { BASE_URL: target.url },
  });
  assert.deepEqual(other.seen, []);
  assert.deepEqual(paths(target), ['GET /home']);
  assert.deepEqual(errorsOf(driven), { network_errors: 1 });
});

test('a host that the spec does not name is refused before anything is sent', async () => {
  const driven = await send(`[[scenarios.s.requests]]\nget = "${other.url}/away"`);
  assert.notEqual(driven.code, 0);
  assert.deepEqual([...target.seen, ...other.seen], []);
  assert.match(driven.log, /is not the host of the environment/);
});

test('a service whose port is known only now is a host too', async () => {
  const driven = await drive({
    spec: scenario(`[[scenarios.s.requests]]\nget = '${redirect(`${other.url}/there`)}'`).replace(
      '[scenarios.s]',
      `hosts = ["http://127.0.0.1:\${port.login}"]\n[[environments.local.services]]\nname = "login"\ncommand = ["x"]\n[scenarios.s]`,
    ),
    env: { BASE_URL: target.url },
    environment: { BASE_HOSTS: JSON.stringify([other.url]) },
    change: (benchCase) => benchCase,
  });
  assert.deepEqual(paths(other), ['GET /there']);
  assert.deepEqual(errorsOf(driven), {});
});
