// A mean over all requests hides the one that got slower: a duet names it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spawnBenchfolio } from '../support/cli.js';
import { duet, repositoryOf } from '../support/commits.js';
import { shop } from '../support/shop.js';

/** Reads at once; writes hold a lock for as long as its file says. */
const server = `
const held_ms = require('./held.json');
require('node:http').createServer((request, response) => {
  if (request.url === '/create' && held_ms > 0) setTimeout(() => response.end('ok'), held_ms);
  else response.end('ok');
}).listen(process.env.PORT, '127.0.0.1');`;

const spec = `${shop}[scenarios.mix]
executor = "constant-vus"
vus = 2
duration = "20s"
requests = [{ get = "/list", name = "list", weight = 2 }, { post = "/create", name = "create", weight = 1 }]
`;

test('a duet names the request that got slower, which the mean hides', async () => {
  const folder = await repositoryOf(
    {
      'bench.toml':
        '[duet]\nload = false\nblocks = 3\nwarmup = "300ms"\nduration = "2s"\n[compare]\ntolerance = 0.4\nalpha = 0.1\n',
      'specs/shop/spec.toml': spec,
      'specs/shop/server.cjs': server,
      'specs/shop/held.json': '0',
    },
    {},
    { 'specs/shop/held.json': '4' },
  );
  const { json, code, stderr, stdout } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
  const [mix] = json.cases;
  const named = (/** @type {string} */ name) => mix.metrics.find((/** @type {any} */ { metric }) => metric === name);
  const [create, list] = ['create', 'list'].map((name) => named(`latency_ms_p50{request:${name}}`));
  assert.deepEqual([create.gated, create.verdict], [true, 'worse'], JSON.stringify(mix.metrics));
  assert.notEqual(list.verdict, 'worse');
  assert.notEqual(named('latency_ms_p50').verdict, 'worse');
  assert.equal(code, 1, stdout + stderr);
  assert.match(mix.reason, /latency p50 of create \+/);
  assert.deepEqual([json.budget.parts, json.budget.each_part], [2, 0.02]);
  const comment = await spawnBenchfolio(['comment', '--dry-run'], { cwd: folder });
  assert.match(comment.stdout, /latency p50 of create/, comment.stderr);
});
