// k6 as its makers build it, without our extension, runs k6/main.js as ours does. `make native` builds it: UPSTREAM_K6.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { root } from '../../support/cli.js';

/** @import { AddressInfo } from 'node:net' */

const k6 = process.env.UPSTREAM_K6 ?? '';

/** @param {string[]} args @returns {Promise<{ code: number | null, stdout: string, stderr: string }>} */
function run(args) {
  const child = spawn(k6, args, { cwd: root, timeout: 60_000 });
  const output = { stdout: '', stderr: '' };
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...output }));
  });
}

test('plain k6 runs k6/main.js on specs/express', { skip: k6 === '' && 'UPSTREAM_K6 names none' }, async () => {
  const { stdout: version } = await run(['version']);
  assert.doesNotMatch(version, /Extensions/);
  let answered = 0;
  const server = createServer(({ url }, response) => {
    answered += url === '/hello' ? 1 : 0;
    response.end('Hello World!');
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)));
  const { port } = /** @type {AddressInfo} */ (server.address());
  try {
    const given = {
      SPEC: 'specs/express/spec.toml',
      SCENARIO: 'hello',
      PROFILE: 'quick',
      BASE_URL: `http://127.0.0.1:${port}`,
      rate: 100,
    };
    const variables = Object.entries(given).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const { code, stdout, stderr } = await run(['run', '--no-usage-report', ...variables, 'k6/main.js']);
    assert.ok(code === 0 || code === 99, stderr); // 99: a threshold is missed, on a busy machine
    assert.doesNotMatch(stderr, /extension|k6\/x\//);
    assert.match(stdout, /requests +\d+ \(\d[\d.]* ?requests\/s\)|requests +\d+/);
    assert.ok(answered > 200, `${answered} requests`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
