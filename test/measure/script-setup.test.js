// setup and teardown of a script in a duet: once for each side, with its address; what setup returned is its side's.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { duet, repositoryOf } from '../support/commits.js';
import { scratchFolder } from '../support/scratch.js';
import { shop } from '../support/shop.js';
import { assertNothingLeft } from '../support/situations.js';

/** Gives a token that no other start knows, and answers those who have it; it writes down who logs in and out. */
const server = (/** @type {number} */ login) => `
const { appendFileSync } = require('node:fs');
const token = require('node:crypto').randomUUID();
const tell = (text) => appendFileSync(process.env.SEEN, text + '\\n');
require('node:http').createServer((request, response) => {
  const mine = request.headers.authorization === token;
  if (request.url === '/login') { response.statusCode = ${login}; tell('login'); return response.end(token); }
  if (request.url === '/logout') { tell(mine ? 'logout' : 'stranger'); return response.end(); }
  response.statusCode = mine ? 200 : 401;
  if (!mine && request.url === '/items') tell('refused');
  response.end('ok');
}).listen(process.env.PORT, '127.0.0.1');`;

const script = `
import http from 'k6/http';
import { check } from 'k6';
import { bench } from '../../.bench/benchfolio/k6/script.js';
export const { options, handleSummary } = bench;
const names = open('./names.txt');
export async function setup() {
  const response = http.post(bench.baseUrl + '/login');
  if (response.status !== 200) throw new Error('no login: ' + response.status);
  return { token: response.body, names };
}
export default bench.iteration((_, { token, names: given }) => {
  const response = http.get(bench.baseUrl + '/items', { headers: { Authorization: token }, tags: { name: 'items' } });
  check(response, { 'is let in': ({ status }) => status === 200, 'has the names': () => given === 'Ada' });
});
export function teardown({ token }) {
  http.post(bench.baseUrl + '/logout', null, { headers: { Authorization: token } });
}
`;

const spec = (/** @type {string} */ seen) => `${shop.replace('env = {', `env = { SEEN = "${seen}",`)}[scenarios.journey]
script = "journey.js"
executor = "constant-vus"
vus = 2
duration = "1s"
`;

const bench = `[compare]
alpha = 1e-9
[duet]
blocks = 2
warmup = "200ms"
duration = "1s"
`;

/** @param {number} status that head's login answers with @param {string} load line of bench.toml */
async function repository(status, load) {
  const seen = join(scratchFolder('seen'), 'seen');
  const folder = await repositoryOf(
    {
      'bench.toml': bench + load,
      'specs/shop/spec.toml': spec(seen),
      'specs/shop/journey.js': script,
      'specs/shop/names.txt': 'Ada',
    },
    { 'specs/shop/server.cjs': server(200) },
    { 'specs/shop/server.cjs': `${server(status)} // another` },
  );
  return { folder, seen };
}

describe('setup and teardown of a script in a duet', { concurrency: 2 }, () => {
  test('run once for each side, in all lanes', async () => {
    const { folder, seen } = await repository(
      200,
      'age = "6s"\nload = { warmup = "200ms", duration = "1s", saturation = "1s", users = 2 }\n',
    );
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--json');
    assert.equal(code, 3, stdout + stderr);
    const [journey] = json.cases;
    assert.ok(journey.metrics.length > 0, stderr);
    assert.doesNotMatch(JSON.stringify(journey.findings), /Checks failed/);
    const lines = (await readFile(seen, 'utf8')).trim().split('\n');
    const count = (/** @type {string} */ what) => lines.filter((line) => line === what).length;
    assert.deepEqual([count('refused'), count('stranger')], [0, 0], 'a token of the other side');
    assert.ok(count('login') > 0);
    assert.equal(count('logout'), count('login'), 'each is torn down');
    await assertNothingLeft(folder);
  });

  test('a setup that fails on one side names it', async () => {
    const { folder } = await repository(503, 'load = false\n');
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--json');
    assert.equal(code, 4, stdout + stderr);
    assert.match(json.cases[0].reason, /head.*no login: 503/);
    await assertNothingLeft(folder);
  });
});
