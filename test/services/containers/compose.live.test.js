// A duet of a compose file.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { spawnBenchfolio } from '../../support/cli.js';
import { compose, spec } from '../../support/compose-file.js';
import { contained, hello, left, noCompose } from '../../support/containers.js';
import { lastRun, readJson } from '../../support/situations.js';

describe('a compose file', { skip: noCompose }, () => {
  const file = { 'specs/box/compose.yaml': compose };

  test('runs twice at once in a duet', async () => {
    const folder = await contained(spec + hello, file, '[duet]\nload = false\nduration = "2s"\n');
    const { code, stdout, stderr } = await spawnBenchfolio(['duet', folder, '--blocks', '3'], { cwd: folder });
    assert.equal(code, 3, stdout + stderr);
    const { cases } = await readJson(join(await lastRun(folder), 'comparison.json'));
    const used = cases[0].metrics.find(
      (/** @type {{ metric: string }} */ { metric }) => metric === 'cpu_ms_per_request',
    );
    assert.ok(used.base > 0 && used.head > 0, stdout);
    assert.deepEqual(left(), []);
  });
});
