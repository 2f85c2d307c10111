// What helps both sides to the same cores while one user loads them: they swap cores, and cores are kept awake.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { duet, repositoryOf } from '../support/commits.js';
import { scratchFolder } from '../support/scratch.js';
import { shop } from '../support/shop.js';
import { assertNothingLeft } from '../support/situations.js';

/** Writes down, in a file of each process, each set of cores that it was allowed when it answered. */
const server = `
const { appendFileSync, readFileSync } = require('node:fs');
const seen = new Set();
require('node:http').createServer((request, response) => {
  const [, cores] = readFileSync('/proc/self/status', 'utf8').match(/Cpus_allowed_list:\\s+(\\S+)/);
  if (!seen.has(cores)) appendFileSync(process.env.CORES + '/' + process.pid, cores + '\\n');
  seen.add(cores);
  response.end('ok');
}).listen(process.env.PORT, '127.0.0.1');
`;

const scenario = `
[scenarios.turns]
executor = "constant-vus"
vus = 1
duration = "30s"
requests = [{ get = "/" }]
`;

/**
 * A duet of a service with itself.
 * @param {{ settings?: string, service?: string, command?: string }} how settings: of [duet]; service: keys of it; command: its
 *   first words
 * @returns {Promise<{ comparison: any, cores: string[], stderr: string }>} cores: what each process of the service was allowed
 */
async function duetOf({ settings = '', service = '', command = '"node"' }) {
  const place = scratchFolder();
  const own = shop
    .replace('env = { PORT = "${port}" }', `env = { PORT = "\${port}", CORES = "${place}" }\n${service}`)
    .replace('"node"', command);
  const folder = await repositoryOf(
    {
      'bench.toml': `[duet]\nload = false\nblocks = 2\nwarmup = "300ms"\nduration = "1s"\n${settings}`,
      'specs/shop/server.cjs': server,
    },
    { 'specs/shop/spec.toml': own + scenario },
  );
  const { json, stdout, stderr } = await duet(folder, 'HEAD', '--json');
  assert.equal(json?.cases.length, 1, stdout + stderr);
  await assertNothingLeft(folder);
  const files = await readdir(place);
  assert.equal(files.length, 4, 'two blocks of two sides');
  const cores = await Promise.all(files.map((file) => readFile(join(place, file), 'utf8')));
  return { comparison: json.cases[0].comparison, cores, stderr };
}

/** Whether it was ever held on one core. @param {string} text */
const wasHeld = (text) => text.split('\n').some((cores) => /^\d+$/.test(cores));

describe('cores', { concurrency: true, skip: availableParallelism() < 2 && 'there is one core only' }, () => {
  test('both sides are held on one core now and then, and the comparison says so', async () => {
    const { comparison, cores } = await duetOf({});
    assert.equal(comparison.swapped_cores, true);
    assert.ok(cores.every(wasHeld), cores.join());
  });

  test('they are kept awake, unless bench.toml says not to, and the comparison says so', async () => {
    const kept = await duetOf({});
    assert.equal(kept.comparison.kept_awake, true, kept.stderr);
    const not = await duetOf({ settings: 'keep_awake = false\n' });
    assert.ok(!('kept_awake' in not.comparison));
  });

  test('where a service chose its own, the comparison does not say that they were swapped', async () => {
    const { comparison, stderr } = await duetOf({ command: '"taskset", "-c", "0", "node"' });
    assert.ok(!('swapped_cores' in comparison));
    assert.match(stderr, /base and head do not swap cores: all threads of a side have cores of their own/);
  });

  for (const { what, ...how } of [
    { what: 'bench.toml says not to', settings: 'swap_cores = false\n' },
    { what: 'a service has cores of its own', service: 'cpus = "0-1"' },
  ])
    test(`they stay where ${what}`, async () => {
      const { comparison, cores } = await duetOf(how);
      assert.ok(!('swapped_cores' in comparison));
      assert.ok(!cores.some(wasHeld), cores.join());
    });
});
