// k6 scripts as people have them, untouched: their own load, thresholds, setup, checks and metrics, of whatever protocol.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { folderOf, root, spawnBenchfolio } from '../support/cli.js';
import { duet, repositoryOf } from '../support/commits.js';
import { assertNothingLeft, lastRun, readJson } from '../support/situations.js';

const echo = await readFile(join(root, 'test/support/echo-service.cjs'), 'utf8');

const environment = `title = "Shop"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
ports = ["http", "grpc"]
command = ["node", "server.cjs"]
env = { PORT = "\${port}", GRPC = "\${port.app.grpc}" }
ready = "http://127.0.0.1:\${port.app.http}/"
`;

/** A service that lets in who has logged in at it. @param {string} [item] @param {number} [login] status */
const shop = (item = 'book', login = 200) => `
const token = require('node:crypto').randomUUID();
require('node:http').createServer((request, response) => {
  if (request.url === '/') return response.end('up');
  if (request.url === '/login') { response.statusCode = ${login}; return response.end(JSON.stringify({ token })); }
  response.statusCode = request.headers.authorization === token ? 200 : 401;
  response.end(JSON.stringify({ item: '${item}' }));
}).listen(process.env.PORT, '127.0.0.1');`;

const journey = {
  'loadtests/lib/config.js': "export const BASE = __ENV.BASE_URL || 'https://shop.example.com';\n",
  'loadtests/users.json': '[{ "id": 1 }, { "id": 2 }]',
  'loadtests/journey.js': `
import http from 'k6/http';
import { check, group } from 'k6';
import { SharedArray } from 'k6/data';
import { Trend } from 'k6/metrics';
import { BASE } from './lib/config.js';
const users = new SharedArray('users', () => JSON.parse(open('./users.json')));
const reading = new Trend('reading', true);
export const options = {
  vus: 2,
  iterations: 40,
  tags: { team: 'shop' },
  thresholds: { reading: ['max<60000'], 'http_req_duration{team:shop}': ['max<60000'] },
};
let known = null; // of this user
export function setup() {
  const response = http.post(\`\${BASE}/login\`);
  if (response.status !== 200) throw new Error(\`no login: \${response.status}\`);
  return response.json();
}
export default function ({ token }) {
  known ??= token;
  group('read', () => {
    const response = http.get(\`\${BASE}/users/\${users[__ITER % 2].id}\`, { headers: { Authorization: known } });
    reading.add(response.timings.duration);
    check(response, { 'is let in': ({ status }) => status === 200, 'is a book': (it) => it.json('item') === 'book' });
  });
}
export function handleSummary(data) {
  if (__ENV.SUMMARY_FAILS) throw new Error('no summary for you');
  return { 'out/mine.json': JSON.stringify(Object.keys(data.metrics.http_req_duration.values)), stdout: 'done' };
}
`,
};

/** @param {string} scenarios @param {Record<string, string>} files */
async function run(scenarios, files, /** @type {string[]} */ ...args) {
  const cwd = await folderOf({
    'bench.toml': '[run]\nrounds = 1\n',
    'specs/shop/spec.toml': `${environment}[scenarios]\n${scenarios}`,
    'specs/shop/server.cjs': echo,
    ...files,
  });
  const { code, stdout, stderr } = await spawnBenchfolio(['run', ...args], { cwd });
  const folder = code === 2 ? null : join(await lastRun(cwd), 'shop/local');
  const recordOf = (/** @type {string} */ name) => readJson(join(String(folder), name, 'record.json'));
  return { code, folder, recordOf, said: stdout + stderr, stdout };
}

/** @param {any} record */
const texts = (record) => record.findings.map((/** @type {any} */ { text }) => text).join('\n');

describe('a k6 script as it is', { concurrency: 2 }, () => {
  test('a journey with a login, groups, checks, data and metrics', async () => {
    const { code, folder, recordOf, said } = await run('journey = { script = "../../loadtests/journey.js" }', {
      ...journey,
      'specs/shop/server.cjs': shop(),
    });
    assert.equal(code, 0, said);
    const record = await recordOf('journey');
    assert.equal(record.metrics.requests_rps.count, 40, 'the login is not counted');
    assert.deepEqual(record.checks, {
      'read > is let in': { passes: 40, fails: 0 },
      'read > is a book': { passes: 40, fails: 0 },
    });
    assert.equal(record.script_metrics.reading.count, 40);
    assert.deepEqual(
      record.thresholds.map((/** @type {any} */ { metric, outcome }) => [metric, outcome]),
      [
        ['http_req_duration', 'met'],
        ['reading', 'met'],
        ['checks', 'met'],
        ['errors_ratio', 'met'],
      ],
    );
    const mine = join(String(folder), 'journey/round-1/script-out_mine.json');
    assert.ok((await readJson(mine)).includes('p(95)'));
    assert.ok(existsSync(join(String(folder), 'journey/round-1/script-stdout')));
  });

  test('a handleSummary that throws is named, and costs no numbers', async () => {
    const { code, recordOf, said, folder } = await run(
      'journey = { script = "../../loadtests/journey.js", env = { SUMMARY_FAILS = 1 } }',
      { ...journey, 'specs/shop/server.cjs': shop() },
    );
    assert.equal(code, 0, said);
    const record = await recordOf('journey');
    assert.equal(record.metrics.requests_rps.count, 40);
    assert.match(texts(record), /handleSummary threw: no summary for you/);
    assert.ok(folder);
  });

  test('its scenarios are cases of their own, each with its function, variables, tags and thresholds', async () => {
    const { code, recordOf, said } = await run('mixed = { script = "mixed.js" }', {
      'specs/shop/mixed.js': `
import http from 'k6/http';
import { check } from 'k6';
const iterations = { executor: 'per-vu-iterations', vus: 1, maxDuration: '1m' };
export const options = {
  scenarios: {
    browse: { ...iterations, iterations: 30, exec: 'browse', tags: { kind: 'read' } },
    buy: { ...iterations, iterations: 20, exec: 'buy', startTime: '30s', env: { ITEM: '7' } },
  },
  thresholds: {
    'http_req_duration{scenario:browse}': ['max<50000'],
    'http_req_duration{kind:read}': ['max<60000'],
    'checks{scenario:buy}': ['rate==1'],
  },
};
export function browse() { http.get(__ENV.BASE_URL); }
export function buy() {
  check(http.post(\`\${__ENV.BASE_URL}/\${__ENV.ITEM}\`), { bought: ({ url }) => url.endsWith('/7') });
}
`,
    });
    assert.equal(code, 0, said);
    const [browse, buy] = [await recordOf('mixed,scenario=browse'), await recordOf('mixed,scenario=buy')];
    const judged = (/** @type {any} */ { thresholds }) =>
      thresholds.map((/** @type {any} */ { metric, selector, expr }) => [metric, selector, expr]);
    const cap = ['errors_ratio', {}, 'value<=0.01'];
    assert.deepEqual(judged(browse), [
      ['http_req_duration', { kind: 'read' }, 'max<60000'],
      ['http_req_duration', {}, 'max<50000'],
      cap,
    ]);
    assert.deepEqual(judged(buy), [['checks', {}, 'rate==1'], cap]);
    assert.deepEqual([browse.metrics.requests_rps.count, buy.metrics.requests_rps.count], [30, 20]);
    assert.deepEqual(buy.checks, { bought: { passes: 20, fails: 0 } });
  });

  test('where it makes no HTTP requests, calls of gRPC, messages or iterations are what is counted', async () => {
    const iterations = "export const options = { vus: 1, iterations: 20 };\nimport { check } from 'k6';\n";
    const { code, recordOf, said } = await run(
      `grpc = { script = "grpc.js", env = { GRPC_ADDR = "127.0.0.1:\${port.app.grpc}" } }
ws = { script = "ws.js" }
sockets = { script = "sockets.js", env = { SOCKET = "ws://127.0.0.1:\${port.app}/" } }
nothing = { script = "nothing.js" }
`,
      {
        'specs/shop/echo.proto': `syntax = "proto3";
package echo;
service Echo { rpc Say (Text) returns (Text) {} }
message Text { string text = 1; }
`,
        'specs/shop/grpc.js': `${iterations}import grpc from 'k6/net/grpc';
const client = new grpc.Client();
client.load(['.'], 'echo.proto');
export default () => {
  if (__ITER === 0) client.connect(__ENV.GRPC_ADDR, { plaintext: true });
  const response = client.invoke('echo.Echo/Say', { text: 'hi' });
  check(response, { 'is OK': ({ status, message }) => status === grpc.StatusOK && message.text === 'hi' });
};
`,
        'specs/shop/ws.js': `${iterations}import ws from 'k6/ws';
export default function () {
  let left = 5;
  const response = ws.connect(__ENV.BASE_URL.replace('http', 'ws'), {}, (socket) => {
    socket.on('open', () => socket.send('a'));
    socket.on('message', () => (--left > 0 ? socket.send('a') : socket.close()));
  });
  check(response, { 'is 101': ({ status }) => status === 101, 'all came': () => left === 0 });
}
`,
        'specs/shop/sockets.js': `${iterations}import { WebSocket } from 'k6/websockets';
export default function () {
  let left = 5;
  const socket = new WebSocket(__ENV.SOCKET);
  socket.onopen = () => socket.send('a');
  socket.onmessage = () => (--left > 0 ? socket.send('a') : socket.close());
}
`,
        'specs/shop/nothing.js': `${iterations}export default () => check(1, { 'is one': (it) => it === 1 });\n`,
      },
    );
    assert.equal(code, 0, said);
    for (const [name, count, unit] of /** @type {const} */ ([
      ['grpc', 20, 'a request is a gRPC call here, and latency is that of a call (grpc_req_duration)'],
      ['ws', 100, 'a request is a WebSocket message here, and latency is that of an iteration (iteration_duration)'],
      // k6/websockets has the frame that closes as a message
      ['sockets', 120, 'a request is a WebSocket message here'],
      ['nothing', 20, 'a request is an iteration here'],
    ])) {
      const record = await recordOf(name);
      assert.equal(record.metrics.requests_rps.count, count, name);
      assert.equal(record.metrics.latency_ms_p50.count, 20, name);
      assert.ok(texts(record).includes(unit), texts(record));
    }
  });

  test('it reaches the hosts of its environment, and no other', async () => {
    const { code, said } = await run(
      `http = { script = "http.js" }
ws = { script = "ws.js" }
sockets = { script = "sockets.js" }
setup = { script = "setup.js" }
`,
      {
        'specs/shop/http.js':
          "import http from 'k6/http';\nexport default () => { http.get('http://localhost:9/'); };\n",
        'specs/shop/ws.js':
          "import ws from 'k6/ws';\nexport default () => { ws.connect('ws://example.com/', {}, () => {}); };\n",
        'specs/shop/sockets.js':
          "import { WebSocket } from 'k6/websockets';\nexport default () => { new WebSocket('ws://example.org/').onerror = () => {}; };\n",
        'specs/shop/setup.js':
          "import http from 'k6/http';\nexport function setup() { http.get('https://example.com/'); }\nexport default () => {};\n",
      },
      '--json',
    );
    assert.equal(code, 4, said);
    assert.match(said, /http\.js sends to localhost:9, which the environment does not name/);
    assert.match(said, /ws\.js sends to example\.com:80, which the environment does not name/);
    assert.match(said, /sockets\.js sends to example\.org:80, which the environment does not name/);
    assert.match(said, /setup\.js sends to example\.com:443, which the environment does not name/);
  });

  test('abortOnFail ends the load, and the case has failed', async () => {
    const { code, recordOf, said } = await run('hurried = { script = "hurried.js" }', {
      'specs/shop/hurried.js': `
import http from 'k6/http';
export const options = {
  vus: 1,
  duration: '10m',
  thresholds: { http_req_duration: [{ threshold: 'max<0', abortOnFail: true, delayAbortEval: '1s' }] },
};
export default () => { http.get(__ENV.BASE_URL); };
`,
    });
    assert.equal(code, 1, said);
    const record = await recordOf('hurried');
    assert.equal(record.verdict, 'fail');
    assert.match(texts(record), /k6 ended the load after [\d.]+ s of 600 s: a threshold with abort_on_fail was missed/);
  });

  test('what it cannot be is said by check, where the spec names it', async () => {
    const { code, said } = await run(
      `throws = { script = "throws.js" }
ours = { script = "ours.js" }
outside = { script = "outside.js" }
wrong = { script = "wrong.js" }
taken = { script = "fine.js", env = { K6_VUS = 1, GRPC = "\${port.app.grcp}" } }
`,
      {
        'specs/shop/throws.js': "throw new Error('no TOKEN');\nexport default () => {};\n",
        'specs/shop/ours.js':
          "import { bench } from '../../.bench/benchfolio/k6/script.js';\nexport const { options } = bench;\nexport default bench.iteration(() => {});\n",
        'specs/shop/outside.js':
          "export const options = { scenarios: { a: { executor: 'externally-controlled', vus: 1, duration: '1s' } } };\nexport default () => {};\n",
        'specs/shop/wrong.js':
          "export const options = { vus: 1, duration: '2s', thresholds: { http_req_duration: ['rate<1'] } };\nexport default () => {};\n",
        'specs/shop/fine.js': 'export default () => {};\n',
      },
    );
    assert.equal(code, 2, said);
    assert.match(said, /k6 cannot read throws\.js: Error: no TOKEN/);
    assert.match(said, /the scenario has no executor, and ours\.js takes its load from here/);
    assert.match(said, /k6 cannot read outside\.js: unknown executor type 'externally-controlled'/);
    assert.match(said, /k6 cannot read wrong\.js: invalid threshold "rate<1" applied on metric http_req_duration/);
    assert.match(said, /K6_VUS is a variable of k6 itself/);
    assert.match(said, /service "app" has no port "grcp"/);
  });

  test('without a k6 check warns that it cannot read it, and a run says what to do', async () => {
    const cwd = await folderOf({
      'bench.toml': '',
      'specs/shop/spec.toml': `${environment}[scenarios]\nfine = { script = "fine.js" }\n`,
      'specs/shop/fine.js': 'export default () => {};\n',
    });
    const env = { PATH: dirname(process.execPath), BENCHFOLIO_TOOLS: join(cwd, 'none') };
    const check = await spawnBenchfolio(['check'], { cwd, env });
    assert.equal(check.code, 0, check.stdout + check.stderr);
    assert.match(check.stdout, /warning: the load is in fine\.js, and there is no k6 to read it/);
    const started = await spawnBenchfolio(['run'], { cwd, env });
    assert.match(started.stderr, /there is no k6 to read it\n[\s\S]*npx benchfolio tools/);
    assert.equal(started.code, 2, started.stderr);
  });
});

describe('a duet of a k6 script as it is', { concurrency: 2 }, () => {
  const usual = {
    'bench.toml':
      '[compare]\nalpha = 1e-9\n[duet]\nblocks = 2\nwarmup = "200ms"\nduration = "1s"\nload = { blocks = 2, warmup = "200ms", duration = "1s", saturation = "1s", users = 2 }\nage = false\n',
    'specs/shop/spec.toml': `${environment}[scenarios]\njourney = { script = "../../loadtests/journey.js" }\n`,
    ...journey,
  };

  test('each side has a login, state and addresses of its own, in all lanes', async () => {
    const folder = await repositoryOf(
      usual,
      { 'specs/shop/server.cjs': shop() },
      { 'specs/shop/server.cjs': `${shop()} // other` },
    );
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--json');
    assert.equal(code, 3, stdout + stderr);
    const [one] = json.cases;
    assert.ok(one.metrics.length > 0, stdout);
    assert.doesNotMatch(JSON.stringify(one.findings), /Checks failed/);
    await assertNothingLeft(folder);
  });

  test('variables of a script that imports ours lead to its side, too', async () => {
    const script = `import http from 'k6/http';
import { check } from 'k6';
import { bench } from '../../.bench/benchfolio/k6/script.js';
export const { options, handleSummary } = bench;
export default bench.iteration(() => {
  check(http.get(__ENV.API), { 'is a book': ({ body }) => body === 'book' });
});
`;
    const scenario =
      '[scenarios.own]\nscript = "own.js"\nexecutor = "constant-vus"\nduration = "1s"\nsmoke = false\nenv = { API = "${url}" }\n';
    const serving = (/** @type {string} */ item) =>
      `require('node:http').createServer((_, response) => response.end('${item}')).listen(process.env.PORT, '127.0.0.1');`;
    const folder = await repositoryOf(
      {
        'bench.toml': `${usual['bench.toml'].replace(/load = .*/, 'load = false')}`,
        'specs/shop/spec.toml': environment + scenario,
        'specs/shop/own.js': script,
      },
      { 'specs/shop/server.cjs': serving('book') },
      { 'specs/shop/server.cjs': serving('pen') },
    );
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--json');
    assert.equal(code, 1, stdout + stderr);
    assert.match(json.cases[0].reason, /100 % of the requests failed/);
  });

  test('what the script measures itself is compared where it is known which is better, and a gate names it', async () => {
    const script = `
import http from 'k6/http';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const reading = new Trend('reading', true);
const sold = new Counter('sold');
const found = new Rate('found');
const stock = new Gauge('stock');
export const options = { vus: 1, duration: '1s', thresholds: { found: ['rate>=0'], 'reading{step:pay}': ['max<60000'] } };
export default function () {
  const { body } = http.get(\`\${__ENV.BASE_URL}/a\`);
  reading.add(1 + Math.random() / 10, { step: 'list' });
  reading.add(5 + Math.random() / 10, { step: 'pay' });
  sold.add(2);
  found.add(JSON.parse(body).item === 'book');
  stock.add(7);
}
`;
    const serving = (/** @type {string} */ item) =>
      `require('node:http').createServer((_, response) => response.end('{"item":"${item}"}')).listen(process.env.PORT, '127.0.0.1');`;
    const gate = 'gate = ["p50{script:reading}", "ratio{script:found}", "p95{script:reading{step:pay}}"]';
    const folder = await repositoryOf(
      {
        'bench.toml': usual['bench.toml'],
        'specs/shop/spec.toml': `${environment}[scenarios.own]\nscript = "own.js"\n[scenarios.own.compare]\n${gate}\n`,
        'specs/shop/own.js': script,
      },
      { 'specs/shop/server.cjs': serving('book') },
      { 'specs/shop/server.cjs': serving('pen') },
    );
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--json');
    assert.equal(code, 3, stdout + stderr); // of two blocks nothing is decided at that alpha
    /** @type {any[]} */
    const rows = json.cases[0].metrics.filter((/** @type {any} */ { metric }) => metric.includes('{script:'));
    const compared = Object.fromEntries(
      rows.map(({ metric, gated, direction, unit }) => [metric, [gated, direction, unit]]),
    );
    assert.deepEqual(compared, {
      'p50{script:reading}': [true, 'lower', 'ms'],
      'ratio{script:found}': [true, 'higher', 'ratio'],
      'p95{script:reading{step:pay}}': [true, 'lower', 'ms'],
      'p95{script:reading}': [false, 'lower', 'ms'],
      'p50{script:reading{step:pay}}': [false, 'lower', 'ms'],
    });
    const share = rows.find(({ metric }) => metric === 'ratio{script:found}');
    assert.deepEqual([share.base, share.head, share.scale], [1, 0, 'difference']);
  });

  test('a head whose checks fail has failed, and a setup that throws names its side', async () => {
    const folder = await repositoryOf(
      usual,
      { 'specs/shop/server.cjs': shop() },
      { 'specs/shop/server.cjs': shop('pen') },
      { 'specs/shop/server.cjs': shop('book', 503) },
    );
    const checks = await duet(folder, 'HEAD~2', 'HEAD~1', 'shop', '--json');
    assert.equal(checks.code, 1, checks.stdout + checks.stderr);
    const login = await duet(folder, 'HEAD~2', 'HEAD', 'shop', '--json');
    assert.equal(login.code, 4, login.stdout + login.stderr);
    assert.match(login.json.cases[0].reason, /head.*no login: 503/);
    await assertNothingLeft(folder);
  });
});
