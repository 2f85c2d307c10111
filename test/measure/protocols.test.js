// Calls of gRPC and sessions of WebSockets that a spec declares.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { findTool } from '../../dist/base/tools/find-tool.js';
import { folderOf, root, spawnBenchfolio } from '../support/cli.js';
import { duet, repositoryOf } from '../support/commits.js';
import { assertNothingLeft, lastRun, readJson } from '../support/situations.js';

const echo = await readFile(join(root, 'test/support/echo-service.cjs'), 'utf8');

const spec = (/** @type {string} */ scenarios, delay = 0) => `title = "Shop"
[environments.local]
url = "http://127.0.0.1:\${port.app.grpc}"
[[environments.local.services]]
name = "app"
ports = ["http", "grpc"]
command = ["node", "server.cjs"]
env = { PORT = "\${port}", GRPC = "\${port.app.grpc}", DELAY = ${delay} }
ready = "http://127.0.0.1:\${port.app.http}/"
[environments.web]
extends = "local"
url = "http://127.0.0.1:\${port.app.http}"
${scenarios}`;

const proto = `syntax = "proto3";
package echo;
service Echo {
  rpc Say (Text) returns (Text) {}
  rpc Deny (Text) returns (Text) {}
}
message Text { string text = 1; int32 number = 2; repeated string items = 3; }
`;

const iterations = 'executor = "per-vu-iterations"\nvus = 1\niterations = 20\n';

const calls = `[scenarios.calls]
environments = ["local"]
${iterations}rows = { file = "rows.csv", types = { n = "number" } }
[[scenarios.calls.requests]]
grpc = "/echo.Echo/Say"
proto = "echo.proto"
message = { text = "hi \${row.n}", number = "\${row.n}", items = ["a", "\${random.string(3)}"] }
headers = { x-token = "t" }
expect = { json = { "items.#" = 2, number = "\${row.n}" }, body = "hi " }
capture = { first = { json = "items.0" } }
[[scenarios.calls.requests]]
grpc = "/echo.Echo/Say"
name = "again"
proto = "echo.proto"
message = { text = "\${captured.first}" }
expect = { json = { text = "a" } }
[[scenarios.calls.requests]]
grpc = "/echo.Echo/Deny"
proto = "echo.proto"
expect = { status = [5, 7] }
`;

const sessions = `[scenarios.sessions]
environments = ["web"]
${iterations}[[scenarios.sessions.requests]]
websocket = "/chat"
send = ["hello", { type = "say", n = 1 }]
expect = { json = { type = "say" } }
capture = { n = { json = "n" } }
[[scenarios.sessions.requests]]
websocket = "/chat"
name = "quiet"
send = "bye \${captured.n}"
receive = 0
`;

/** @param {string} scenarios @param {string[]} args */
async function run(scenarios, ...args) {
  const cwd = await folderOf({
    'bench.toml': '[run]\nrounds = 1\n',
    'specs/shop/spec.toml': spec(scenarios),
    'specs/shop/server.cjs': echo,
    'specs/shop/echo.proto': proto,
    'specs/shop/rows.csv': 'n\n5\n6\n',
  });
  const { code, stdout, stderr } = await spawnBenchfolio(['run', ...args], { cwd });
  const said = stdout + stderr;
  const recordOf = async (/** @type {string} */ name) =>
    readJson(join(await lastRun(cwd), 'shop', name, 'record.json'));
  return { cwd, code, said, recordOf };
}

describe('declared in a spec', { concurrency: 2 }, () => {
  test('calls of gRPC, with rows, captures, random values, statuses and names', async () => {
    const { code, said, recordOf, cwd } = await run(
      `${calls}[scenarios.calls.thresholds]\ngrpc_req_duration = "max<60000"\n"grpc_req_duration{name:again}" = "max<60000"\n`,
    );
    assert.equal(code, 0, said);
    const record = await recordOf('local/calls');
    assert.equal(record.metrics.requests_rps.count, 60);
    assert.equal(record.metrics.errors_ratio.value, 0);
    assert.equal(record.metrics.latency_ms_p50.count, 60);
    assert.deepEqual(
      Object.entries(record.requests).map(([name, { count }]) => [name, count]),
      [
        ['GRPC /echo.Echo/Deny', 20],
        ['GRPC /echo.Echo/Say', 20],
        ['again', 20],
      ],
    );
    assert.ok(record.requests.again.metrics.latency_ms_p50.value > 0);
    assert.match(JSON.stringify(record.findings), /a request is a gRPC call here/);
    await assertNothingLeft(cwd);
  });

  test('sessions of WebSockets, with their messages', async () => {
    const { code, said, recordOf, cwd } = await run(sessions);
    assert.equal(code, 0, said);
    const record = await recordOf('web/sessions');
    assert.equal(record.metrics.requests_rps.count, 40);
    assert.equal(record.metrics.errors_ratio.value, 0);
    assert.deepEqual(
      Object.entries(record.requests).map(([name, { count }]) => [name, count]),
      [
        ['WEBSOCKET /chat', 20],
        ['quiet', 20],
      ],
    );
    assert.match(JSON.stringify(record.findings), /a request is a WebSocket session here/);
    await assertNothingLeft(cwd);
  });

  test('another status and other messages are errors, and stop the case before the load', async () => {
    const denied = calls.replace('expect = { status = [5, 7] }\n', '');
    const call = await run(denied);
    assert.equal(call.code, 4, call.said);
    assert.match(call.said, /before the load, GRPC \/echo\.Echo\/Deny: status 7 \(PermissionDenied\)/);
    const session = await run(sessions.replace('type = "say" } }', 'type = "said" } }'));
    assert.equal(session.code, 4, session.said);
    assert.match(session.said, /before the load, WEBSOCKET \/chat: type is "say", not "said"/);
  });

  test('errors under load are counted, under the cap', async () => {
    const { code, said, recordOf } = await run(
      calls.replace('expect = { status = [5, 7] }\n', '').replace('vus = 1\n', 'vus = 1\nsmoke = false\n'),
    );
    assert.equal(code, 1, said);
    const record = await recordOf('local/calls');
    assert.equal(record.metrics.errors_ratio.value, 0.3333333);
  });

  test('a server that is gone is no answer', async () => {
    const elsewhere = calls
      .replaceAll('grpc = "/echo', 'grpc = "http://127.0.0.1:9/echo')
      .replace('vus = 1\n', 'vus = 1\nsmoke = false\n');
    const { code, said } = await run(elsewhere);
    assert.equal(code, 2, said);
    assert.match(said, /http:\/\/127\.0\.0\.1:9 is not the host of the environment/);
  });

  test('what cannot be is said by check', async () => {
    const { code, said } = await run(`${calls}${sessions}
[scenarios.wrong]
${iterations}[[scenarios.wrong.requests]]
grpc = "/list"
message = {}
body = "x"
[[scenarios.wrong.requests]]
websocket = "/chat"
redirects = 1
proto = "echo.proto"
[[scenarios.wrong.requests]]
grpc = "/a.B/C"
proto = "gone.proto"
expect = { status = 404 }
capture = { a = { cookie = "a" } }
`);
    assert.equal(code, 2, said);
    assert.match(said, /"\/list" is not a method of gRPC like "\/shop\.Orders\/List"/);
    assert.match(said, /a call of gRPC has no "body"/);
    assert.match(said, /a call of gRPC needs "proto"/);
    assert.match(said, /a session of WebSockets has no "redirects"/);
    assert.match(said, /a session of WebSockets has no "proto"/);
    assert.match(said, /404 is not a status of gRPC from 0 \(OK\) to 16/);
    assert.match(said, /a call of gRPC brings no cookies/);
    assert.match(said, /has a call of gRPC and a session of WebSockets: its latency would be of neither/);
  });

  test('a duet sends them to both sides, in all lanes', async () => {
    const folder = await repositoryOf(
      {
        'bench.toml':
          // JavaScript users, who read a .proto first, while other stages keep the machine busy
          '[compare]\nalpha = 1e-9\n[duet]\nblocks = 2\nwarmup = "1s"\nduration = "2s"\nload = { warmup = "1s", duration = "2s", saturation = "2s", users = 2 }\nage = false\n',
        'specs/shop/server.cjs': echo,
        'specs/shop/echo.proto': proto,
        'specs/shop/rows.csv': 'n\n5\n6\n',
      },
      { 'specs/shop/spec.toml': spec(calls + sessions) },
      { 'specs/shop/spec.toml': spec(calls + sessions, 3) },
    );
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--json');
    assert.equal(code, 3, stdout + stderr); // of two blocks nothing is decided at that alpha
    for (const one of json.cases) {
      const p50 = one.metrics.find((/** @type {any} */ { metric }) => metric === 'latency_ms_p50');
      assert.ok(p50, `${one.scenario}: ${one.reason}`);
      assert.ok(p50.head > p50.base + 2, `${one.scenario}: ${JSON.stringify(p50)}`);
      const loaded = one.metrics.find((/** @type {any} */ { metric }) => metric === 'throughput_rps{lane:saturation}');
      assert.ok(loaded.base > 0 && loaded.head > 0, `${one.scenario}: ${JSON.stringify(loaded)}`);
    }
    await assertNothingLeft(folder);
  });
});

describe('declared in a spec, in plain k6', () => {
  test('a target that is gone is no pass', async () => {
    const folder = await folderOf({
      'specs/shop/spec.toml': spec(calls + sessions),
      'specs/shop/echo.proto': proto,
      'specs/shop/rows.csv': 'n\n5\n6\n',
    });
    const { path: k6 } = await findTool('k6');
    for (const [scenario, environment] of /** @type {const} */ ([
      ['calls', 'local'],
      ['sessions', 'web'],
    ])) {
      const given = { SPEC: 'specs/shop/spec.toml', SCENARIO: scenario, ENVIRONMENT: environment };
      const variables = Object.entries({ ...given, BASE_URL: 'http://127.0.0.1:9' });
      const args = variables.flatMap(([name, value]) => ['-e', `${name}=${value}`]);
      const { status, stdout } = spawnSync(
        k6,
        ['run', '--quiet', '--no-usage-report', ...args, join(root, 'k6/main.js')],
        { cwd: folder, encoding: 'utf8', env: { ...process.env, PWD: folder } },
      );
      assert.equal(status, 99, stdout);
      assert.match(stdout, /missed http_req_failed\{phase:steady\} rate<=0\.01/);
    }
  });
});
