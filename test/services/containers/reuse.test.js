// Volumes that are filled once a run and copied for each start.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { spawnBenchfolio } from '../../support/cli.js';
import { contained, left, noDocker } from '../../support/containers.js';
import { reusing, seedings, startsOf } from '../../support/reuse.js';
import { lastRun } from '../../support/situations.js';

/** The seed gives its row to a user of its own. @param {string} volume */
const seeded = (volume) =>
  `title = "Box"${reusing(`
reuse = ["app:/data"]
[[environments.here.services]]
name = "app"
container = { build = ".", port = 8080, volumes = ["${volume}"] }
[[environments.here.after_ready]]
name = "seed"
service = "app"
once = true
command = ["/app", "seed"]
env = { OWNER = 999 }
capture = { token = { json = "token" } }
`)}`;

describe('reuse', () => {
  test('a folder of this machine that is mounted cannot be reused: the next start would find it full', {
    skip: noDocker,
  }, async () => {
    const folder = await contained(seeded('./data:/data'), { 'specs/box/data/kept': '' });
    const { code, stderr } = await spawnBenchfolio(['run'], { cwd: folder });
    assert.equal(code, 4);
    assert.match(stderr, /\/data of service "app" cannot be reused: \/data is a folder of this machine/);
    assert.deepEqual(readdirSync(join(folder, 'specs', 'box', 'data')), ['kept']);
  });

  test('a volume is seeded once, and each start has a copy, owners and modes too', { skip: noDocker }, async () => {
    const folder = await contained(seeded('data:/data'));
    const { code, stdout, stderr } = await spawnBenchfolio(['run', '--rounds', '3'], { cwd: folder });
    assert.equal(code, 0, stdout + stderr);
    assert.equal(await seedings(folder), 1);
    const begun = 'it has a row, of user 999, mode 640\nlistening on 8080\n';
    assert.equal((await startsOf(folder)).replaceAll('asked to stop\n', ''), begun.repeat(3));
    const record = join(await lastRun(folder), 'box', 'here', 'add', 'record.json');
    assert.equal(JSON.parse(readFileSync(record, 'utf8')).metrics.errors_ratio.value, 0);
    assert.deepEqual(left(), []);
  });
});
