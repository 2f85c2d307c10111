import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { duet, repositoryOf } from '../support/commits.js';
import { shop } from '../support/shop.js';
import { assertNothingLeft, lastRun, readJson, situations, startRun } from '../support/situations.js';

test('services that are kept start once for all cases of their environment; a build and a setup run once', async () => {
  const folder = await situations();
  const { code, stderr } = await startRun(folder, ['--env', 'kept', '--scenario', 'swept']).done;
  const run = await lastRun(folder);
  const log = (/** @type {string} */ name) => readFile(join(run, 'box', 'kept', name), 'utf8');
  assert.notEqual(code, 4, stderr);
  assert.equal((await log('front.log')).match(/listening/g)?.length, 1);
  assert.equal(await log('front.build.log'), 'built once\n');
  assert.equal(await log('front.setup.log'), 'before each start\n');
  assert.equal(await log('setup.log'), 'set up once\n');
  const { cases } = await readJson(join(run, 'run.json'));
  assert.deepEqual(
    cases.map((/** @type {any} */ one) => [one.case, one.status]),
    [
      ['swept,rate=20', 'measured'],
      ['swept,rate=40', 'measured'],
      ['swept,rate=60', 'measured'],
    ],
  );
  await assertNothingLeft(folder);
});

test('systems whose builds are the same commands have a build each', async () => {
  const built = shop.replace(
    'command = ["node", "server.cjs"]',
    'build = [["cp", "server.cjs", "built.cjs"]]\ncommand = ["node", "built.cjs"]',
  );
  const spec = `${built}[scenarios.get]\nexecutor = "shared-iterations"\nvus = 1\niterations = 5\nrequests = [{ get = "/" }]\n`;
  const server =
    "require('node:http').createServer((_, response) => response.end()).listen(process.env.PORT, '127.0.0.1')";
  const suite = {
    'bench.toml': '[duet]\nload = false\nblocks = 2\nwarmup = "300ms"\nduration = "1s"\n[compare]\nalpha = 1e-9\n', // nothing is decided
    'specs/one/spec.toml': spec,
    'specs/one/server.cjs': server,
    'specs/two/spec.toml': spec,
    'specs/two/server.cjs': server,
  };
  const folder = await repositoryOf(suite, {}, { 'specs/one/note': 'new', 'specs/two/note': 'new' });
  const { json, stdout, stderr } = await duet(folder, 'HEAD~1', '--changed', '--json');
  assert.deepEqual(
    json?.cases.map((/** @type {any} */ one) => [one.system, one.rounds]),
    [
      ['one', 2],
      ['two', 2],
    ],
    stdout + stderr,
  );
});
