import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { benchfolio, startBenchfolio } from '../support/cli.js';
import { cacheOf, commit, duet } from '../support/commits.js';
import { loopRepository, server, spec } from '../support/loop-service.js';
import { assertNothingLeft } from '../support/situations.js';

/** @import { AddressInfo } from 'node:net' */

// With this alpha nothing is decided, on any machine.
const repository = loopRepository.bind(null, 1e-9);

describe('duet', { concurrency: 4 }, () => {
  test('cases that differ only in their load are one in a duet', async () => {
    const swept = spec.replace('vus = 5', 'vus = "${users}"\nsweep = { users = [1, 5, 9] }');
    const folder = await repository({ spec: swept });
    const { json, stdout, stderr } = await duet(folder, 'HEAD', 'HEAD', '--json');
    assert.deepEqual(
      json?.cases.map((/** @type {any} */ one) => one.case),
      ['turns,users=1'],
      stdout + stderr,
    );
    const plan = JSON.parse(await readFile(join(folder, '.bench', 'runs', json.run, 'plan.json'), 'utf8'));
    const { base, head } = plan.cases[0].starts;
    assert.deepEqual([base.length, head.length], [2, 2], 'a time for each start');
    assert.ok([...base, ...head].every((seconds) => seconds > 0 && seconds < 120));
    assert.match(
      stderr,
      /loop\/local\/turns,users=5: in a duet the same as turns,users=1\n.*users=9: in a duet the same as/,
    );
  });

  test('an undecided case ends before a look that its budget has no time for, but has six blocks', async () => {
    const folder = await repository({ note: 'base' });
    const bench = await readFile(join(folder, 'bench.toml'), 'utf8');
    await writeFile(join(folder, 'bench.toml'), bench.replace('[duet]', '[duet]\nbudget = "1s"'));
    await commit(folder);
    await writeFile(join(folder, 'bench.toml'), bench); // how long a duet is, is base's to say
    await writeFile(join(folder, 'specs/loop/package.json'), JSON.stringify({ loops: 20000, note: 'head' }));
    await commit(folder);
    const { json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--blocks', '9', '--json');
    const [{ verdict, rounds, reason, comparison }] = json?.cases ?? assert.fail(stdout + stderr);
    assert.deepEqual([verdict, rounds, comparison.budget_s], ['inconclusive', 6, 1], stdout + stderr);
    assert.match(reason, /; after 6 blocks its budget of 1 s was over; (about \d+|more than 100) blocks would/);
  });

  test('the setup of an environment runs once for each side, before its services', async () => {
    const made = '${run.dir}/made';
    const setup = (/** @type {string} */ line) =>
      spec
        .replace('[[environments', `setup = ["sh", "-c", "${line}"]\n$&`)
        .replace(/command = .*/, `command = ["sh", "-c", "test $(wc -l < '${made}') = 1 && exec node server.cjs"]`);
    const folder = await repository(
      { spec: setup(`echo x >> '${made}'`) },
      { spec: setup(`echo x >> '${made}'`), note: 'another' },
      { spec: setup('echo no data >&2; exit 9') },
    );
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~2', 'HEAD~1', '--json');
    assert.equal(code, 3, stdout + stderr);
    assert.ok(json.cases[0].metrics.length > 0, stdout + stderr);
    const failed = await duet(folder, 'HEAD~1', 'HEAD');
    assert.equal(failed.code, 4, failed.stdout + failed.stderr);
    assert.match(failed.stderr, /ERROR: head: the setup of environment "local" failed: .*9/);
  });

  test('a script finds our package in checkouts, where nothing is installed', async () => {
    const scripted = spec.replace(/\[\[scenarios\.turns\.requests\]\][\s\S]*$/, 'script = "turns.js"\n');
    const folder = await repository({ spec: scripted }, { spec: scripted, note: 'another' }, { note: 'neither' });
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~2', 'HEAD~1', '--json');
    assert.equal(code, 3, stdout + stderr);
    assert.ok(json.cases[0].metrics.length > 0, stdout + stderr);
  });

  test('a change that concerns no system is a comparison of no case, and no pass', async () => {
    const folder = await repository({}, { note: 'another' });
    await writeFile(join(folder, 'notes.md'), 'unmeasured');
    const { code, json, stderr } = await duet(folder, 'HEAD', '--changed', '--json');
    assert.equal(code, 3, stderr);
    assert.deepEqual([json.cases, json.exit], [[], 3]);
    const posted = await benchfolio(['comment', '--dry-run'], { cwd: folder });
    assert.match(
      posted.stdout,
      /^### – Nothing was measured, for the change since HEAD \\\([0-9a-f]{10}\\\) concerns no system/,
    );
    await mkdir(join(folder, 'specs', 'other'));
    await rename(join(folder, 'specs', 'loop', 'spec.toml'), join(folder, 'specs', 'other', 'spec.toml'));
    const gone = await duet(folder, 'HEAD', '--changed', '--json');
    const [lost] = gone.json.cases.filter((/** @type {any} */ { system }) => system === 'loop');
    assert.deepEqual([lost.verdict, lost.record], ['inconclusive', null]);
    assert.match(lost.reason, /has specs\/loop, and head has not: nothing measures it any more/);
    const loud = await benchfolio(['comment', '--dry-run'], { cwd: folder });
    assert.match(loud.stdout, /loop all all[\s\S]*nothing measures it any more/);
    await rename(join(folder, 'specs', 'other', 'spec.toml'), join(folder, 'specs', 'loop', 'spec.toml'));
    await writeFile(join(folder, 'specs', 'loop', 'server.cjs'), `${server}// changed`);
    const one = await duet(folder, 'HEAD', '--changed', '--json');
    assert.deepEqual(
      one.json?.cases.map((/** @type {any} */ { system }) => system),
      ['loop'],
      one.stderr,
    );
  });

  test('a parameter that is set is that of both sides', async () => {
    const text = spec
      .replace('env = { PORT = "${port}" }', 'env = { PORT = "${port}", LOOPS = "${loops}" }')
      .replace('title = "Loop"', 'title = "Loop"\nparameters = { loops = 1000 }');
    const folder = await repository({ spec: text }, { spec: text, note: 'another tree' });
    const { json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--set', 'loops=3000', '--json');
    const sides = ['base', 'head'].map(async (side) =>
      JSON.parse(
        await readFile(join(folder, '.bench', 'runs', json.run, 'loop', 'local', 'turns', side, 'case.json'), 'utf8'),
      ),
    );
    const loops = (await Promise.all(sides)).map(({ case: measured }) => measured.services[0].env.LOOPS);
    assert.deepEqual(loops, ['3000', '3000'], stdout + stderr);
    assert.match(json.command, /^npx benchfolio duet [0-9a-f]{12} [0-9a-f]{12} /, 'commits by their numbers');
  });

  const broken = /** @type {[string, Parameters<typeof repository>[0], RegExp, RegExp][]} */ ([
    ['does not build', { loops: null }, /the build of service "app" failed/, /build\.log ends with:\n/],
    ['lacks the spec', { spec: null }, /nothing to start/, /nothing to start/],
    [
      'does not start',
      { spec: spec.replace('"server.cjs"', '"other.cjs"') },
      /base: service "app"/,
      /app\.log ends with:\n[\s\S]*Cannot find module/,
    ],
  ]);
  for (const [what, base, reason, log] of broken) {
    test(`a base that ${what} is inconclusive, never a pass`, async () => {
      const folder = await repository(base, {});
      const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
      assert.equal(code, 3, stdout);
      assert.match(json.cases[0].reason, reason);
      assert.match(stderr, log, 'the end of its log is shown');
      await assertNothingLeft(folder);
    });
  }

  test('a base that ends half-way is nothing to compare with, though its first blocks were fine', async () => {
    const folder = await repository({ spec: spec.replace('env = {', 'env = { ENDS = "1",') }, {});
    const { code, json, stdout } = await duet(folder, 'HEAD~1', 'HEAD', '--blocks', '4', '--json');
    assert.equal(code, 3, stdout);
    assert.match(json.cases[0].reason, /base: service "app" ended with exit code 7/);
    assert.equal(json.cases[0].rounds, 2);
    await assertNothingLeft(folder);
  });

  test('a base that fails half its requests is no pass', async () => {
    const folder = await repository({ spec: spec.replace('env = {', 'env = { HALF = "1",') }, {});
    const { code, json, stdout } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
    assert.equal(code, 3, stdout);
    assert.notEqual(json.cases[0].verdict, 'pass');
  });

  test('a head that does not start has failed', async () => {
    const folder = await repository({}, { spec: spec.replace('"server.cjs"', '"other.cjs"') });
    const { code, stdout } = await duet(folder, 'HEAD~1', 'HEAD');
    assert.equal(code, 4, stdout);
  });

  test('an address against a folder', async () => {
    const folder = await repository({ loops: 1000 });
    const other = createServer((_request, response) => response.end('ok'));
    await new Promise((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve(undefined));
    });
    const { port } = /** @type {AddressInfo} */ (other.address());
    try {
      const { json, stdout, stderr } = await duet(folder, `http://127.0.0.1:${port}`, '.', 'loop', '--json');
      assert.ok(json, stdout + stderr);
      const cpu = json.cases[0].metrics.find((/** @type {any} */ { metric }) => metric === 'cpu_ms_per_request');
      const median = json.cases[0].metrics.find((/** @type {any} */ { metric }) => metric === 'latency_ms_p50');
      assert.ok(median.ratio !== null, JSON.stringify(json.cases[0]));
      assert.match(cpu?.reason ?? '', /baseline|sampled|not/);
      const ids = json.cases[0].findings.map((/** @type {any} */ { id }) => id);
      assert.ok(ids.includes('lives-on'), ids.join(' '));
    } finally {
      other.close();
    }
  });

  test('says what it does not know', async () => {
    const folder = await repository({});
    const unknown = await duet(folder, 'no-such-branch');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /"no-such-branch" is neither a commit of this repository nor a folder/);
    const either = await duet(folder, 'HEAD', 'lop');
    assert.match(either.stderr, /"lop" is neither a commit[\s\S]* Systems are loop\./);
    const system = await duet(folder, 'HEAD', 'HEAD', 'lop');
    assert.equal(system.code, 2);
    assert.match(system.stderr, /no system "lop"\nKnown systems: loop/);
  });

  test('Ctrl-C ends both sides', async () => {
    const folder = await repository({}, { note: 'another' });
    const { child, says, done } = startBenchfolio(['duet', 'HEAD~1', 'HEAD'], {
      cwd: folder,
      env: { XDG_CACHE_HOME: cacheOf(folder) },
    });
    await says(/block 1 of 2 done/);
    child.kill('SIGINT');
    const { code, stdout } = await done;
    assert.equal(code, 130);
    assert.match(stdout, /interrupted after 1 of 2 blocks/);
    const kept = await benchfolio(['keep', 'v1'], { cwd: folder });
    assert.match(kept.stderr, /cannot be kept: nothing was compared\n.*interrupted after 1 of 2 blocks/);
    await assertNothingLeft(folder);
    assert.ok(!existsSync(join(folder, '.bench', 'lock')));
  });
});
