import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { benchfolio, folderOf, root, spawnBenchfolio } from '../support/cli.js';
import { makeQuiet } from '../support/quiet.js';

/** The suite of test/fixtures/pool, somewhere else. */
async function pool() {
  const folder = await folderOf({});
  await cp(join(root, 'test', 'fixtures', 'pool'), folder, { recursive: true });
  makeQuiet(folder);
  return folder;
}

// What it finds is tried by `make find`, for a search takes minutes.
describe('find', () => {
  it('says when no load was too much, and leaves nothing to be kept', async () => {
    const folder = await pool();
    const { code, stdout, stderr } = await spawnBenchfolio(
      ['find', 'pool', '--scenario', 'users', '--max', '2', '--probe', '1s'],
      { cwd: folder },
    );
    assert.equal(code, 3, stdout + stderr);
    assert.match(
      stderr,
      /which vus still meets the thresholds\? Each is tried for 1 s\nprobe 1: 2 users: (met|not met|says nothing)/,
    );
    assert.match(stdout, /^Nothing found: (every load up to 2 met the thresholds|not even 1 is met)/m);
    const kept = await benchfolio(['keep', 'v1'], { cwd: folder });
    assert.equal(kept.code, 2);
  });

  it('takes one scenario whose load is one number', async () => {
    const folder = await pool();
    const several = await benchfolio(['find', 'pool'], { cwd: folder });
    assert.equal(several.code, 2);
    assert.match(
      several.stderr,
      /find takes one scenario, and there are 3\nChoose: --scenario work; --scenario users; --scenario ramp/,
    );
    const ramp = await benchfolio(['find', 'pool', '--scenario', 'ramp'], { cwd: folder });
    assert.equal(ramp.code, 2);
    assert.match(ramp.stderr, /ramp has the executor ramping-vus: its load is not one number that could be raised/);
    const turned = await benchfolio(['find', 'pool', '--scenario', 'work', '--from', '400', '--max', '200'], {
      cwd: folder,
    });
    assert.equal(turned.code, 2);
    assert.match(turned.stderr, /--from 400 is above --max 200/);
    for (const [option, value, error] of [
      ['--from', '0', /above 0/],
      ['--precision', '2', /from 0\.001 to 0\.5/],
      ['--probe', '2', /from 1s to 10m/],
    ]) {
      const wrong = await benchfolio(['find', 'pool', String(option), String(value)], { cwd: folder });
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /** @type {RegExp} */ (error));
    }
  });

  it('a probe that is too short to judge says how long is enough', async () => {
    const folder = await pool();
    const { code, stderr } = await spawnBenchfolio(
      ['find', 'pool', '--scenario', 'work', '--from', '10', '--probe', '1s'],
      {
        cwd: folder,
      },
    );
    assert.equal(code, 2, stderr);
    assert.match(
      stderr,
      /1 s are too short to judge\. The threshold http_req_duration p\(90\)<100 is not judged: [\s\S]*--probe 2\ds\), or begin/,
    );
  });

  it('has the player that it names send the requests, and keeps the files of a probe whose service ended', async () => {
    const folder = await pool();
    const server = join(folder, 'specs', 'pool', 'server.js');
    const ends =
      "createServer((request, response) => {\n  if (request.url !== '/up' && (ends -= 1) < 0) process.exit(7);";
    const text = await readFile(server, 'utf8');
    await writeFile(server, `let ends = 20;\n${text.replace('createServer((request, response) => {', ends)}`);
    const { code, stderr } = await spawnBenchfolio(['find', 'pool', '--scenario', 'work', '--probe', '2s'], {
      cwd: folder,
    });
    assert.equal(code, 4, stderr);
    assert.match(stderr, /the native player sends the requests of 1 case\n/);
    assert.match(stderr, /service "pool" ended with exit code 7 while it was needed/);
    const [, probe] = stderr.match(/The logs of services and k6 are in (\S+)\.\n/) ?? [];
    const { case: measured } = JSON.parse(await readFile(join(folder, probe, 'case.json'), 'utf8'));
    assert.equal(measured.player, 'native');
  });

  it('a load that is missed, above one that is too low to judge, is an answer: nothing is found', async () => {
    const folder = await pool();
    const spec = join(folder, 'specs', 'pool', 'spec.toml');
    await writeFile(spec, (await readFile(spec, 'utf8')).replace('p(90)<100', 'p(90)<0.01'));
    const { code, stdout, stderr } = await spawnBenchfolio(
      ['find', 'pool', '--scenario', 'work', '--from', '150', '--probe', '2s'],
      { cwd: folder },
    );
    assert.equal(code, 3, stdout + stderr);
    assert.match(stdout, /^Nothing found: 150 is not met, and 75 cannot be judged in 2 s \(--probe [34]s would do\)/m);
  });
});
