// What goes wrong is counted as one of four things, exactly.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { drive, errorsOf, player, scenario, steady } from '../support/k6/drive.js';
import { startTarget } from '../support/k6/target.js';

/** @import { AddressInfo } from 'node:net' */

/** @type {Awaited<ReturnType<typeof startTarget>>} */
let target;
before(async () => {
  target = await startTarget();
});
after(() => target.close());
beforeEach(() => {
  target.seen.length = 0;
});

/** Lines of the log a problem: of each of two users, or of all. */
const logged = player === 'native' ? 1 : 2;

const five = 'executor = "per-vu-iterations"\nvus = 2\niterations = 5';
const send = (/** @type {string} */ requests, load = five, url = target.url) =>
  drive({ spec: scenario(requests, load), env: { BASE_URL: url } });

test('expectations that hold count nothing', async () => {
  const driven = await send(`
[[scenarios.s.requests]]
get = "/things"
[scenarios.s.requests.expect]
status = [200, 201]
headers = { content-type = "application/json", X-Token = { matches = "^t-\\\\d+$" } }
body = "Ada"
json = { id = 7, "user.name" = "Ada", "tags.#" = 2, tags = ["a", "b"] }
[[scenarios.s.requests]]
get = "/things"
name = "matches"
expect = { body = { matches = "ticket=[a-z]+/\\\\d+;" } }
[[scenarios.s.requests]]
get = "/status/404"
expect = { status = 404 }
[[scenarios.s.requests]]
get = "/status/304"
`);
  assert.equal(target.seen.length, 40);
  assert.equal(steady(driven, 'http_req_failed', 'fails'), 40);
  assert.equal(steady(driven, 'http_req_failed', 'passes'), 0);
  assert.deepEqual(errorsOf(driven), {});
});

test('no response, a status, a header, a body and a value are told apart, by request', async () => {
  const driven = await send(`
[[scenarios.s.requests]]
post = "/drop"
[[scenarios.s.requests]]
get = "/status/503"
[[scenarios.s.requests]]
get = "/status/200"
expect = { status = 201 }
[[scenarios.s.requests]]
get = "/things"
name = "header"
expect = { headers = { X-Token = "other" } }
[[scenarios.s.requests]]
get = "/things"
name = "header pattern"
expect = { headers = { X-Token = { matches = "^other" } } }
[[scenarios.s.requests]]
get = "/things"
name = "body"
expect = { body = "Grace" }
[[scenarios.s.requests]]
get = "/things"
name = "body pattern"
expect = { body = { matches = "ticket=\\\\d" } }
[[scenarios.s.requests]]
get = "/things"
name = "two wrong"
expect = { json = { id = 8 , tags = ["a"] } }
[[scenarios.s.requests]]
get = "/text"
name = "not json"
expect = { json = { id = 7 } }
`);
  assert.equal(target.seen.length, 90); // of a GET, the server would see more: Go repeats one whose connection broke
  assert.deepEqual(errorsOf(driven), { network_errors: 10, status_errors: 20, failed_expectations: 60 });
  assert.deepEqual(errorsOf(driven, 'name:POST /drop'), { network_errors: 10 });
  assert.equal(steady(driven, 'bench_status_errors', 'count', 'name:GET /status/200'), 10);
  assert.equal(steady(driven, 'bench_failed_expectations', 'count', 'name:two wrong'), 10);
  assert.equal(steady(driven, 'http_req_failed', 'passes'), 30); // k6's own number knows of statuses only
  assert.equal(steady(driven, 'http_req_failed', 'passes', 'name:GET /status/503'), 10);
  assert.equal(steady(driven, 'iterations', 'count'), 10);
  assert.match(driven.log, /^benchfolio: body: the body has not the text: "\{/m);
  assert.equal(driven.log.match(/^benchfolio: two wrong: id is 7, not 8$/gm)?.length, logged);
});

test('an error ends the iteration where the request says so, and a missing capture always does', async () => {
  const abandoning = (/** @type {string} */ first) =>
    send(`
[[scenarios.s.requests]]
${first}
[[scenarios.s.requests]]
get = "/after"
`);
  const status = await abandoning('get = "/status/500"\non_error = "abandon"');
  assert.equal(target.of('/after').length, 0);
  assert.deepEqual(errorsOf(status), { status_errors: 10, abandoned: 10 });
  const network = await abandoning('get = "/drop"\non_error = "abandon"');
  assert.deepEqual(errorsOf(network), { network_errors: 10, abandoned: 10 });
  const expectation = await abandoning('get = "/things"\nexpect = { body = "Grace" }\non_error = "abandon"');
  assert.deepEqual(errorsOf(expectation), { failed_expectations: 10, abandoned: 10 });
  const missing = 'get = "/things"\nexpect = { body = "Grace" }\ncapture = { x = { json = "nothing.there" } }';
  const capture = await abandoning(missing);
  assert.deepEqual(errorsOf(capture), { failed_expectations: 10, abandoned: 10 });
  const uncaptured = await abandoning('get = "/status/500"\ncapture = { x = { json = "id" } }');
  assert.deepEqual(errorsOf(uncaptured), { status_errors: 10, abandoned: 10 });
  assert.equal(target.of('/after').length, 0);
  await abandoning('get = "/status/500"');
  assert.equal(target.of('/after').length, 10);
});

test('a dead target is network errors, and the log says so', async () => {
  const load = 'executor = "constant-vus"\nvus = 2\nduration = "1s"';
  const driven = await send('[[scenarios.s.requests]]\nget = "/"', load, 'http://127.0.0.1:9');
  const { network_errors: lost } = errorsOf(driven);
  assert.ok(lost > 100, String(lost));
  assert.equal(steady(driven, 'http_req_failed', 'passes'), lost);
  assert.equal(driven.log.match(/connection refused/g)?.length, logged);
  assert.doesNotMatch(driven.log, /127\.0\.0\.1:9\//);
});

test('a timeout is a network error', async () => {
  const { createServer } = await import('node:net');
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((done) => silent.once('listening', done));
  const { port } = /** @type {AddressInfo} */ (silent.address());
  const request = '[[scenarios.s.requests]]\nget = "/"\ntimeout = "200ms"';
  const driven = await send(request, five, `http://127.0.0.1:${port}`);
  silent.close();
  assert.equal(errorsOf(driven).network_errors, 10);
  assert.match(driven.log, /^benchfolio: GET \/: request timeout$/m);
});
