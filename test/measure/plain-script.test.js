// k6 scripts as people have them, untouched: their own load, thresholds, setup, checks and metrics, of whatever protocol.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { folderOf, spawnBenchfolio } from '../support/cli.js';
import { environment, journey, shop } from '../support/journey-script.js';
import { runScripts } from '../support/plain-script.js';
import { readJson } from '../support/situations.js';

/** @param {any} record */
const texts = (record) => record.findings.map((/** @type {any} */ { text }) => text).join('\n');

describe('a k6 script as it is', { concurrency: 2 }, () => {
  test('a journey with a login, groups, checks, data and metrics', async () => {
    const { code, folder, recordOf, said } = await runScripts('journey = { script = "../../loadtests/journey.js" }', {
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

  test('requests that k6 stops after ten redirects are counted and named, unless the script says how many it follows', async () => {
    const circle = `const http = require('node:http');
http.createServer((q, r) => (q.url.startsWith('/round') ? r.writeHead(302, { location: '/round?' + Math.random() }).end() : r.end('ok')))
  .listen(process.env.PORT, '127.0.0.1');`;
    const script = (/** @type {string} */ options, /** @type {string} */ params) => `import http from 'k6/http';
export const options = { vus: 1, iterations: 7${options} };
export default () => { http.get(__ENV.BASE_URL + '/round'${params}); http.get(__ENV.BASE_URL + '/'); };`;
    const { recordOf, said } = await runScripts(
      'circle = { script = "../../t/circle.js" }\nlimit = { script = "../../t/limit.js" }\nnone = { script = "../../t/none.js" }',
      {
        'specs/shop/server.cjs': circle,
        't/circle.js': script('', ''),
        't/limit.js': script(', maxRedirects: 3', ''),
        't/none.js': script('', ', { redirects: 0 }'),
      },
    );
    const [found, limit, none] = [await recordOf('circle'), await recordOf('limit'), await recordOf('none')];
    assert.match(
      texts(found),
      /^k6 stopped 7 times after ten redirects, and counted the last of them as the answer/m,
      said,
    );
    assert.equal(found.metrics.requests_rps.count, 7 * 12);
    assert.equal(found.findings.find((/** @type {any} */ { id }) => id === 'redirects-stopped').level, 'warn');
    assert.doesNotMatch(texts(limit) + texts(none), /redirect/);
    assert.equal(limit.metrics.requests_rps.count, 7 * 5);
    assert.equal(none.metrics.requests_rps.count, 7 * 2);
  });

  test('a handleSummary that throws is named, and costs no numbers', async () => {
    const { code, recordOf, said, folder } = await runScripts(
      'journey = { script = "../../loadtests/journey.js", env = { SUMMARY_FAILS = 1 } }',
      { ...journey, 'specs/shop/server.cjs': shop() },
    );
    assert.equal(code, 0, said);
    const record = await recordOf('journey');
    assert.equal(record.metrics.requests_rps.count, 40);
    assert.match(texts(record), /handleSummary threw: no summary for you/);
    assert.ok(folder);
  });

  test('where it switches off what k6 counts as failed, nobody knows how many failed', async () => {
    const { code, recordOf, said } = await runScripts(
      'quiet = { script = "quiet.js" }\nsome = { script = "some.js" }',
      {
        'specs/shop/quiet.js': `
import { sleep } from 'k6';
import http from 'k6/http';
http.setResponseCallback(null);
export const options = { vus: 1, iterations: 30 };
export default () => {
  http.get(\`\${__ENV.BASE_URL}/missing\`);
  sleep(0.1);
};
`,
        'specs/shop/some.js': `
import http from 'k6/http';
export const options = { vus: 1, iterations: 10 };
export default () => {
  http.get(\`\${__ENV.BASE_URL}/missing\`, { responseCallback: null });
  http.get(__ENV.BASE_URL);
};
`,
      },
    );
    assert.equal(code, 0, said);
    for (const name of ['quiet', 'some']) {
      const record = await recordOf(name);
      assert.equal(record.metrics.errors_ratio.value, null, name);
      assert.equal(record.metrics.throughput_rps.value, null, name);
      assert.match(record.metrics.errors_ratio.reason, /^the script switches off what k6 counts as failed/);
      const cap = record.thresholds.find((/** @type {any} */ { metric }) => metric === 'errors_ratio');
      assert.equal(cap.outcome, 'unknown', name);
      assert.match(cap.text, /^failed requests: the script switches off/);
    }
    const { errors_rps, throughput_rps, iterations_rps } = (await recordOf('quiet')).timeline;
    assert.ok(iterations_rps.length > 1);
    assert.deepEqual([...new Set([...errors_rps, ...throughput_rps])], [null]);
  });

  test('where it makes no HTTP requests, calls of gRPC, messages or iterations are what is counted', async () => {
    const iterations = "export const options = { vus: 1, iterations: 20 };\nimport { check } from 'k6';\n";
    const { code, recordOf, said } = await runScripts(
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
        'specs/shop/nothing.js': `${iterations}import { sleep } from 'k6';
export default () => (sleep(0.001), check(1, { 'is one': (it) => it === 1 }));\n`,
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
    const { code, said } = await runScripts(
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
    const { code, recordOf, said } = await runScripts('hurried = { script = "hurried.js" }', {
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
    const { code, said } = await runScripts(
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
