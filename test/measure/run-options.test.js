import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { benchfolio, folderOf, spawnBenchfolio } from '../support/cli.js';
import { assertNothingLeft, assertNowhere, lastRun, readJson, situations, startRun } from '../support/situations.js';

describe('run', { concurrency: true }, () => {
  test('an environment that asks for confirmation is not loaded without it', async () => {
    const folder = await situations();
    const { code, stderr } = await startRun(folder, ['--env', 'shared', '--scenario', 'short']).done;
    assert.equal(code, 2);
    assert.match(stderr, /box\/shared \(http:\/\/127\.0\.0\.1:9\): it is shared with others: ask first\n/);
    assert.match(stderr, /Nothing was sent.* --confirm/);
    assert.ok(!existsSync(join(folder, '.bench')));
  });

  test('with all environments, one that asks for confirmation is left out, and it is said', async () => {
    const scenario =
      '[scenarios.it]\nexecutor = "constant-vus"\nduration = "1s"\nrequests = [{ get = "/", think = "100ms" }]\n';
    const place = (/** @type {string} */ name, more = '') =>
      `[environments.${name}]\nurl = "http://127.0.0.1:9"\n${more}`;
    const spec = `title = "A"\n${place('mine')}${place('shared', 'confirm = "ask first"\n')}${scenario}`;
    const cwd = await folderOf({ 'bench.toml': '[run]\nrounds = 1\n', 'specs/a/spec.toml': spec });
    const { stderr } = await spawnBenchfolio(['run', '--env', 'all'], { cwd });
    assert.match(stderr, /^not measured: a\/shared \(http:\/\/127\.0\.0\.1:9\): ask first\n.*--confirm/m);
    assert.match(stderr, /a\/mine\/it: ERROR: before the load/);
    assert.deepEqual(await readdir(join(await lastRun(cwd), 'a')), ['mine']);
    await writeFile(join(cwd, 'specs/a/spec.toml'), spec.replace(place('mine'), ''));
    assert.equal((await benchfolio(['run', '--env', 'all'], { cwd })).code, 2, 'there is nothing else to do');
  });

  test('a baseline that is mistyped is refused before any load', async () => {
    const folder = await situations();
    await mkdir(join(folder, 'reports', 'versions', 'v1.4.0', 'box'), { recursive: true });
    const { code, stderr } = await startRun(folder, ['--env', 'good', '--scenario', 'short', '--baseline', 'v1.40'])
      .done;
    assert.equal(code, 2);
    assert.match(stderr, /there is no version "v1\.40" in reports\/versions\nDid you mean "v1\.4\.0"\?\n$/);
    assert.ok(!existsSync(join(folder, '.bench')));
  });

  test('a profile that there is not is all that is said, with those that there are', async () => {
    const folder = await situations((spec) => `${spec}\n[profiles.quick]\n[profiles.night]\n`);
    const { code, stderr } = await startRun(folder, ['--profile', 'nope']).done;
    assert.equal(code, 2);
    assert.match(stderr, /^benchfolio: 1 error\n\nerror: there is no profile "nope"\n.*\n = Known: quick, night\.\n$/);
  });

  test('restart = "round": the services of each round are started afresh, with their setup', async () => {
    const server = `require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT);
console.log('started');`;
    const spec = `title = "A"
[environments.here]
url = "http://127.0.0.1:\${port}"
restart = "round"
[[environments.here.services]]
name = "app"
setup = ["sh", "-c", "echo seeded >> seeds.txt"]
command = ["node", "app.cjs"]
env = { PORT = "\${port}" }
[scenarios.it]
executor = "shared-iterations"
iterations = 5
smoke = false
requests = [{ get = "/" }]
`;
    const files = { 'bench.toml': '', 'specs/a/spec.toml': spec, 'specs/a/app.cjs': server };
    const cwd = await folderOf(files);
    const { code, stdout, stderr } = await spawnBenchfolio(['run', '--rounds', '2'], { cwd });
    assert.equal(code, 0, stderr + stdout);
    assert.equal(await readFile(join(cwd, 'specs/a/seeds.txt'), 'utf8'), 'seeded\nseeded\n');
    const place = join(await lastRun(cwd), 'a', 'here', 'it');
    for (const round of [1, 2]) {
      assert.equal(await readFile(join(place, `services-${round}`, 'app.log'), 'utf8'), 'started\n');
      assert.ok(existsSync(join(place, `round-${round}`, 'round.json')));
    }
  });

  test('a failure names the folder of the logs', async () => {
    const folder = await situations();
    const { code, stdout } = await startRun(folder, ['--env', 'exits', '--scenario', 'short']).done;
    assert.equal(code, 4);
    assert.match(stdout.replaceAll('\n', ' '), / Its logs: \.bench\/runs\/\S+\/box\/exits\/ /);
    assert.match(stdout, /^Reproduce: npx benchfolio run box --env exits /m);
  });

  test('a variable that is not set is missed before any load', async () => {
    const folder = await situations();
    const { code, stderr } = await startRun(folder, ['--env', 'secret', '--scenario', 'short']).done;
    assert.equal(code, 2);
    assert.match(stderr, /specs\/box\/spec\.toml needs environment variables that are not set: BOX_TOKEN\n/);
  });

  test('a secret that requests carry is sent, and is in no file, though the service prints it', async () => {
    const folder = await situations();
    const secret = 'correct horse battery staple';
    const { code, stdout, stderr } = await startRun(folder, ['--env', 'good', '--scenario', 'with-token'], {
      BOX_TOKEN: secret,
    }).done;
    assert.equal(code, 0, stderr + stdout);
    const log = await readFile(join(await lastRun(folder), 'box', 'good', 'with-token', 'app.log'), 'utf8');
    assert.match(log, /^they say Bearer \*\*\*$/m);
    await assertNowhere(folder, secret);
  });

  test('without a name and a default it says which systems there are', async () => {
    const spec = 'title = "A"\n[environments.there]\nurl = "http://127.0.0.1:9"\n';
    const cwd = await folderOf({ 'bench.toml': '', 'specs/a/spec.toml': spec, 'specs/b/spec.toml': spec });
    const { code, stderr } = await benchfolio(['run'], { cwd });
    assert.equal(code, 2);
    assert.match(stderr, /which system\? There are a, b\n.*benchfolio run a/);
  });

  test('a scenario that is still to do is listed with its reason, and not run', async () => {
    const folder = await situations();
    const { code, stderr } = await startRun(folder, ['--env', 'good', '--scenario', 'later']).done;
    assert.match(stderr, /not run: box\/good\/later \(todo: not thought through\)/);
    assert.equal(code, 3, stderr);
    const [one] = (await readJson(join(await lastRun(folder), 'run.json'))).cases;
    assert.deepEqual([one.status, one.reason], ['todo', 'not thought through']);
  });

  test('a round that does not fit into memory is cut into consecutive k6 processes', async () => {
    const folder = await situations();
    await writeFile(join(folder, 'bench.toml'), '[run]\nrounds = 1\nmemory = "62.05MB"\nplayer = "javascript"\n');
    const { code, stderr } = await startRun(folder, ['--env', 'good', '--scenario', 'long']).done;
    assert.equal(code, 0, stderr);
    const place = join(await lastRun(folder), 'box', 'good', 'long');
    const rounds = (await readdir(place)).filter((name) => name.startsWith('round-')).sort();
    assert.ok(rounds.length >= 2 && rounds[0] === 'round-1.1', rounds.join());
    const parts = await Promise.all(rounds.map((name) => readJson(join(place, name, 'round.json'))));
    const expected = rounds.map((_, index) => [1, index + 1, rounds.length]);
    assert.deepEqual(
      parts.map(({ round, part, parts: of }) => [round, part, of]),
      expected,
    );
    for (const [index, { started }] of parts.slice(1).entries()) assert.ok(started >= parts[index].ended);
    // 3 measured seconds at 50/s, and a second of warm-up for each part.
    const iterations = parts.reduce((sum, { complete_iterations }) => sum + complete_iterations, 0);
    const all = 50 * (3 + rounds.length); // those that were due: not each has to be sent
    assert.ok(iterations > 0 && iterations <= all + 3 * rounds.length, `${iterations} of ${all}`);
    await assertNothingLeft(folder);
  });

  test('a full disk ends the run with what to do, and leaves nothing half-written', async (context) => {
    const folder = await situations();
    const bench = join(folder, '.bench');
    await mkdir(bench);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', bench]).status === 0;
    if (!mounted) return context.skip('a small disk can only be mounted as root');
    try {
      const { code, stderr } = await startRun(folder, ['--env', 'good', '--scenario', 'short', '--rounds', '20']).done;
      assert.equal(code, 4, stderr);
      assert.match(stderr, /cannot write \S+: the disk is full\nFree some space/);
      const files = await readdir(bench, { recursive: true });
      assert.deepEqual(
        files.filter((file) => /\.tmp$|(^|\/)lock$|(^|\/)latest$/.test(file)),
        [],
      );
      const summaries = files.filter((file) => file.endsWith('summary.json'));
      assert.deepEqual(
        summaries.filter((file) => !files.includes(file.replace('summary', 'round'))),
        [],
      );
      await assertNothingLeft(folder);
    } finally {
      spawnSync('umount', [bench]);
    }
  });
});
