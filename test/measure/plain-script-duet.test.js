// Duets of k6 scripts as people have them, untouched: each side has its own address, login and state.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { duet, repositoryOf } from '../support/commits.js';
import { environment, journey, shop } from '../support/journey-script.js';
import { assertNothingLeft } from '../support/situations.js';

describe('a duet of a k6 script as it is', { concurrency: 2 }, () => {
  const usual = {
    'bench.toml':
      '[compare]\nalpha = 1e-9\n[duet]\nblocks = 2\nwarmup = "200ms"\nduration = "1s"\nload = { warmup = "200ms", duration = "1s", saturation = "1s", users = 2 }\nage = false\n',
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

  test('one that switches off what k6 counts as failed is invalid, whatever head answers', async () => {
    const answering = (/** @type {number} */ status) =>
      `require('node:http').createServer((request, response) => {
        response.statusCode = request.url === '/x' ? ${status} : 200;
        response.end('book');
      }).listen(process.env.PORT, '127.0.0.1');`;
    const script = `import http from 'k6/http';
http.setResponseCallback(null);
export const options = { vus: 1, duration: '1s' };
export default () => http.get(\`\${__ENV.BASE_URL}/x\`);
`;
    const folder = await repositoryOf(
      {
        'bench.toml': usual['bench.toml']
          .replace('alpha = 1e-9', 'tolerance = 0.9')
          .replace(/load = .*/, 'load = false'),
        'specs/shop/spec.toml': `${environment}[scenarios]\nquiet = { script = "quiet.js" }\n`,
        'specs/shop/quiet.js': script,
      },
      { 'specs/shop/server.cjs': answering(200) },
      { 'specs/shop/server.cjs': answering(500) },
    );
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--json');
    assert.equal(code, 3, stdout + stderr);
    assert.equal(json.verdict, 'invalid');
    assert.match(json.cases[0].reason, /^It is not known how many requests failed: .*http\.expectedStatuses/);
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
