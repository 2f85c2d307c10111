// One iteration before the load: what it shows, what it stops, and what it lets pass.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { folderOf, root, spawnBenchfolio } from '../support/cli.js';
import { duet, repositoryOf } from '../support/commits.js';
import { shop } from '../support/shop.js';
import { assertNowhere, lastRun, readJson } from '../support/situations.js';

const secret = 'correct horse battery staple';

/** Answers 503 to the first two requests to /flaky, says of each other path what it is, and counts. */
const server = `
const { appendFileSync } = require('node:fs');
let flaky = 0;
require('node:http').createServer((request, response) => {
  const path = request.url.split('?')[0];
  if (path !== '/') appendFileSync('seen-' + path.split('/')[1], 'x');
  response.setHeader('Content-Type', 'application/json');
  if (path === '/flaky' && ++flaky <= 2) response.statusCode = 503;
  if (path === '/broken' || path === '/allowed' || path === '/off') response.statusCode = 500;
  if (path === '/gone') return request.socket.destroy();
  const id = Number(path.split('/')[2] ?? 0);
  response.end(JSON.stringify({ id, token: 'captured-token', said: request.headers.authorization ?? '' }));
}).listen(process.env.PORT, '127.0.0.1');
`;

const scenario = (/** @type {string} */ name, /** @type {string} */ request, more = '') => `
[scenarios.${name}]
executor = "shared-iterations"
vus = 5
iterations = 50
${more}
[[scenarios.${name}.requests]]
${request}
`;

const script = `
import http from 'k6/http';
import { bench } from '${root}/k6/script.js';
export const { options, handleSummary } = bench;
const item = bench.request({ get: '/items/4', expect: { json: { id: 5 } } });
export default bench.iteration(() => { item(); });
`;

/** Each request to a path of its own, to be counted. */
const spec = `${shop}
${scenario('typed', 'get = "/typed/${row.id}"\nname = "item"\nheaders = { Authorization = "Bearer ${env.SHOP_TOKEN}" }\nexpect = { status = 200, json = { id = "${row.id}" } }', 'rows = { file = "ids.csv" }')}
${scenario('gone', 'get = "/gone"')}
${scenario('meant', 'get = "/broken"\nexpect = { status = 500 }')}
${scenario('flaky', 'get = "/flaky"\nexpect = { status = 200 }')}
${scenario('allowed', 'get = "/allowed"', 'error_cap = 0.5')}
${scenario('off', 'get = "/off"', 'smoke = false')}
[scenarios.scripted]
executor = "constant-vus"
vus = 1
duration = "1s"
script = "item.js"
`;

/** @param {string} text */
const files = (text) => ({
  'bench.toml': '',
  'specs/shop/spec.toml': text,
  'specs/shop/server.cjs': server,
  'specs/shop/ids.csv': 'id\n1\n33963\n',
  'specs/shop/item.js': script,
});

describe('smoke', () => {
  let folder = '';
  let run = '';
  /** @type {Awaited<ReturnType<typeof spawnBenchfolio>>} */
  let outcome;
  /** @type {Record<string, any>} */
  let cases;

  before(async () => {
    folder = await folderOf(files(spec));
    outcome = await spawnBenchfolio(['run', 'shop', '--rounds', '1'], { cwd: folder, env: { SHOP_TOKEN: secret } });
    run = await lastRun(folder);
    const { cases: all } = await readJson(join(run, 'run.json'));
    cases = Object.fromEntries(all.map((/** @type {any} */ one) => [one.case, one]));
  });

  const seen = (/** @type {string} */ path) =>
    readFileSync(join(folder, 'specs', 'shop', `seen-${path}`), 'utf8').length;

  test('a request that fails stops its case before the load, with an error, and no other case', () => {
    assert.equal(outcome.code, 4, outcome.stderr);
    const stopped = Object.values(cases).filter(({ status }) => status === 'error');
    assert.deepEqual(stopped.map((one) => one.case).sort(), ['gone', 'scripted', 'typed']);
    assert.equal(cases.typed.reason, 'before the load, item: id is 33963, not "33963"');
    assert.match(cases.gone.reason, /^before the load, GET \/gone: /);
    assert.equal(seen('typed'), 3);
  });

  test('what was sent, what came back, what was expected and what was found', () => {
    assert.match(outcome.stderr, /expected: status 200, id "\$\{row\.id\}"\n +found: +id is 33963, not "33963"/);
    assert.match(outcome.stderr, /sent:\n +GET http:\/\/127\.0\.0\.1:\d+\/typed\/33963\n/);
    assert.match(outcome.stderr, /received:\n +status 200\n/);
    assert.match(outcome.stderr, /types = \{ id = "number" \}/);
  });

  test('no secret: neither one of the environment nor one that is called so', async () => {
    assert.match(outcome.stderr, /Authorization: \*\*\*/);
    assert.match(outcome.stderr, /\{"id":33963,"token":"\*\*\*","said":"Bearer \*\*\*"\}/);
    await assertNowhere(folder, secret);
    assert.ok(!outcome.stderr.includes('captured-token'));
    assert.ok(!existsSync(join(run, cases.typed.dir, 'round-1', 'smoke.log')));
  });

  test('a script: one iteration of it', () => {
    assert.equal(cases.scripted.reason, 'before the load, GET /items/4: id is 4, not 5');
  });

  test('a failure that is expected, that passes, that is allowed, or that nobody wants to know of stops nothing', () => {
    for (const name of ['meant', 'flaky', 'allowed', 'off']) assert.equal(cases[name].status, 'measured', name);
    assert.deepEqual([seen('allowed'), seen('off'), seen('broken')], [50, 50, 51]);
  });
});

test('in a duet: the side whose request fails has failed', async () => {
  const plain = `${shop}${scenario('items', 'get = "/items/1"')}`;
  const folder = await repositoryOf(
    {
      ...files(plain),
      'bench.toml': '[duet]\nblocks = 2\nwarmup = "300ms"\nduration = "1s"\nage = false\n',
      '.gitignore': '.bench\nseen-*\n',
    },
    { 'specs/shop/server.cjs': server.replace("path === '/off'", "path === '/items/1'") },
    { 'specs/shop/server.cjs': server },
  );
  const broken = await duet(folder, 'HEAD', 'HEAD~1', 'shop', '--json');
  assert.equal(broken.code, 4);
  assert.equal(broken.json.cases[0].reason, 'head: before the load, GET /items/1: status 500');
  const fixed = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--json');
  assert.equal(fixed.code, 3);
  assert.match(fixed.json.cases[0].reason, /base: before the load, GET \/items\/1: status 500/);
});
