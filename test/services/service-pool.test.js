import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
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
