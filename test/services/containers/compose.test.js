// A compose file as an environment: two starts of it share nothing, and what depends on what is respected.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { spawnBenchfolio } from '../../support/cli.js';
import { compose, spec } from '../../support/compose-file.js';
import { contained, hello, left, noCompose } from '../../support/containers.js';
import { lastRun, readJson } from '../../support/situations.js';

describe('a compose file', { skip: noCompose }, () => {
  const file = { 'specs/box/compose.yaml': compose };

  test('is started with what it depends on, sampled and removed', async () => {
    const load = `
[scenarios.hello]
executor = "constant-arrival-rate"
rate = 50
duration = "4s"
preAllocatedVUs = 50
requests = [
  { get = "/other", expect = { body = "hello from stock" } },
  { get = "/seeded", expect = { body = "a row" } },
  { get = "/env?COMMIT", expect = { body = "12e4567" } },
  { get = "/env?HERE", expect = { body = "/specs/box" } },
]
`;
    const folder = await contained(spec + load, file);
    const { code, stdout, stderr } = await spawnBenchfolio(['run'], { cwd: folder });
    assert.equal(code, 0, stdout + stderr);
    const place = join(await lastRun(folder), 'box', 'here', 'hello');
    const record = await readJson(join(place, 'record.json'));
    assert.deepEqual(Object.keys(record.timeline.services).sort(), ['stock', 'web']);
    assert.match(await readFile(join(place, 'stock.log'), 'utf8'), /listening on 8080/);
    assert.deepEqual(left(), []);
  });

  for (const [what, text, expected] of /** @type {[string, string, RegExp][]} */ ([
    [
      'has not the service',
      compose.replace('  web:', '  other:'),
      /compose\.yaml has no service "web"[\s\S]*It has .*other/,
    ],
    [
      'has data of somebody',
      compose.replace('{ name: the-only-data }', '{ external: true }'),
      /the volume "data" of compose\.yaml is external: its data would be loaded/,
    ],
    ['is none', 'services: [', /compose\.yaml is not a compose file that can be used/],
    [
      'has a step that fails',
      compose.replace('"seed"', '"fail"'),
      /service "migrate", on which "web" depends, ended with exit code 7[\s\S]*it cannot go on/,
    ],
  ])) {
    test(`that ${what} is named`, async () => {
      const folder = await contained(spec + hello, { 'specs/box/compose.yaml': text });
      const { code, stdout, stderr } = await spawnBenchfolio(['run'], { cwd: folder });
      assert.equal(code, 4, stdout + stderr);
      assert.match(stdout + stderr, expected);
      assert.doesNotMatch(stdout + stderr, /bug in benchfolio/);
      assert.deepEqual(left(), []);
    });
  }
});
