import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { benchfolio, startBenchfolio } from '../support/cli.js';
import { cacheOf, duet, repositoryOf } from '../support/commits.js';
import { assertNothingLeft } from '../support/situations.js';

/**
 * Works as long as its dependency says, and else sleeps, for others to have the machine; ends by itself the third time where
 * asked to.
 */
const server = `
const { appendFileSync, readFileSync } = require('node:fs');
if (process.env.ENDS) {
  appendFileSync('starts', 'x');
  if (readFileSync('starts', 'utf8').length === 3) setTimeout(() => process.exit(7), 1000);
}
const { loops } = require('./node_modules/loop');
require('node:http').createServer((request, response) => {
  if (request.url === '/half' && process.env.HALF && Math.random() < 0.5) { response.statusCode = 500; return response.end(); }
  let x = 0;
  for (let i = 0; i < loops; i += 1) x = (x * 31 + i) | 0;
  setTimeout(() => response.end(String(x)), 3);
}).listen(process.env.PORT, '127.0.0.1');
`;

/** "Installs" the dependency in the version that package.json asks for, as npm would: beside the service. */
const install = `
const { mkdirSync, writeFileSync, readFileSync } = require('node:fs');
const { loops } = JSON.parse(readFileSync('package.json', 'utf8'));
if (loops === null) { console.error('no such version'); process.exit(1); }
mkdirSync('node_modules/loop', { recursive: true });
writeFileSync('node_modules/loop/index.js', 'exports.loops = ' + loops);
`;

const spec = `
title = "Loop"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
build = ["node", "install.cjs"]
command = ["node", "server.cjs"]
env = { PORT = "\${port}" }
ready = "http://127.0.0.1:\${port}/"
[scenarios.turns]
executor = "constant-vus"
vus = 5
duration = "30s"
[[scenarios.turns.requests]]
get = "/half"
expect = { status = 200 }
`;

/** For scenarios with `script = "turns.js"`. */
const script = `
import { bench } from '../../.bench/benchfolio/k6/script.js';
export const { options, handleSummary } = bench;
const half = bench.request({ get: '/half' });
export default bench.iteration(() => half());
`;

/**
 * A repository whose commits have these files.
 * @param {{ loops?: number | null, spec?: string | null, note?: string }[]} commits
 * @returns {Promise<string>}
 */
const repository = (...commits) =>
  repositoryOf(
    {
      'bench.toml': '[duet]\nload = false\nblocks = 2\nwarmup = "300ms"\nduration = "1s"\n[compare]\nalpha = 0.05\n',
      '.gitignore': 'node_modules\n.bench\n',
      'specs/loop/server.cjs': server,
      'specs/loop/install.cjs': install,
      'specs/loop/turns.js': script,
    },
    ...commits.map(({ loops = 20000, spec: text = spec, note = '' }) => ({
      'specs/loop/package.json': JSON.stringify({ loops, note }),
      'specs/loop/spec.toml': text,
    })),
  );

// Each in a folder of its own, and what is slower is so by far: they may disturb each other.
describe('duet', { concurrency: 4 }, () => {
  test('finds what is slower, each side with its own build, and leaves nothing', async () => {
    const folder = await repository({ loops: 20000 }, { loops: 5000000 });
    const { code, stdout, stderr, json } = await duet(folder, 'HEAD~1', 'HEAD', 'loop', '--blocks', '4', '--json');
    assert.equal(code, 1, stdout + stderr);
    const [one] = json.cases;
    assert.equal(one.comparison.kind, 'duet');
    const [cpu, median] = ['cpu_ms_per_request', 'latency_ms_p50'].map((name) =>
      one.metrics.find((/** @type {any} */ { metric }) => metric === name),
    );
    for (const metric of [cpu, median]) assert.ok(metric.ratio > 3, JSON.stringify(metric));
    // It ends with the first that is worse: of three blocks the other may not be sure yet.
    assert.ok(
      [cpu, median].some(({ verdict }) => verdict === 'worse'),
      JSON.stringify([cpu, median]),
    );
    assert.equal(json.exit, 1);
    const place = join(folder, '.bench', 'runs', json.run, 'loop', 'local', 'turns');
    const sides = await Promise.all(
      ['base', 'head'].map(async (side) => JSON.parse(await readFile(join(place, side, 'record.json'), 'utf8'))),
    );
    // Of the iteration that meets an edge of the window one request may be within and the other not: two a block.
    const [fewer, more] = sides.map((side) => side.metrics.throughput_rps.count).sort((a, b) => a - b);
    assert.ok(more - fewer <= 2 * sides[0].rounds && fewer > 0, `${fewer} and ${more} requests`);
    assert.notEqual(sides[0].commit, sides[1].commit);
    assert.equal(sides[0].definition, sides[1].definition, 'one ruler');
    // head is the working tree's commit and clean: it is not checked out again
    assert.equal((await readdir(join(cacheOf(folder), 'benchfolio', 'trees'))).length, 1);
    await assertNothingLeft(folder);
  });

  test('a commit that changes a note is not worse, and names the minimum detectable effect', async () => {
    const folder = await repository({}, { note: 'another' });
    const { code, stdout } = await duet(folder, 'HEAD~1', 'HEAD');
    assert.ok(code === 0 || code === 3, stdout);
    assert.doesNotMatch(stdout, /worse$/m);
    assert.match(stdout, /ran at the\s+same\s+time/);
    if (code === 3) assert.match(stdout, /minimum detectable effect/);
  });

  test('cases that differ only in their load are one in a duet', async () => {
    const swept = spec.replace('vus = 5', 'vus = "${users}"\nsweep = { users = [1, 5, 9] }');
    const folder = await repository({ spec: swept });
    const { json, stdout, stderr } = await duet(folder, 'HEAD', 'HEAD', '--json');
    assert.deepEqual(
      json?.cases.map((/** @type {any} */ one) => one.case),
      ['turns,users=1'],
      stdout + stderr,
    );
    assert.match(
      stderr,
      /loop\/local\/turns,users=5: in a duet the same as turns,users=1\n.*users=9: in a duet the same as/,
    );
  });

  test('a script finds our package in checkouts, where nothing is installed', async () => {
    const scripted = spec.replace(/\[\[scenarios\.turns\.requests\]\][\s\S]*$/, 'script = "turns.js"\n');
    const folder = await repository({ spec: scripted }, { spec: scripted, note: 'another' }, { note: 'neither' });
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~2', 'HEAD~1', '--json');
    assert.ok(code === 0 || code === 3, stdout + stderr);
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
      /^### Nothing measured: the change touches no benchmark\..*\n\n.*the change since HEAD \\\([0-9a-f]{10}\\\) concerns no system/,
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

  test('interleaved where two copies cannot run concurrently, and says why', async () => {
    const alone = spec.replace(
      '[[environments',
      'duet = { concurrent = false, reason = "one licence" }\n[[environments',
    );
    const folder = await repository({ loops: 20000, spec: alone }, { loops: 5000000, spec: alone });
    const { code, json, stdout, stderr } = await duet(folder, 'HEAD~1', 'loop', '--blocks', '4', '--json');
    assert.equal(code, 1, stdout + stderr);
    assert.equal(json.cases[0].comparison.kind, 'interleaved');
    assert.match(json.cases[0].comparison.session_sd_source, /one licence/);
    await assertNothingLeft(folder);
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
    assert.ok(code === 3 || code === 1, stdout);
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
    const { port } = /** @type {import('node:net').AddressInfo} */ (other.address());
    try {
      const { json, stdout, stderr } = await duet(folder, `http://127.0.0.1:${port}`, '.', 'loop', '--json');
      assert.ok(json, stdout + stderr);
      const cpu = json.cases[0].metrics.find((/** @type {any} */ { metric }) => metric === 'cpu_ms_per_request');
      const median = json.cases[0].metrics.find((/** @type {any} */ { metric }) => metric === 'latency_ms_p50');
      assert.ok(median.ratio !== null, JSON.stringify(json.cases[0]));
      assert.match(cpu?.reason ?? '', /baseline|sampled|not/);
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
    assert.match(kept.stderr, /is a duet: its records are of two sides[\s\S]*benchfolio run/);
    await assertNothingLeft(folder);
    assert.ok(!existsSync(join(folder, '.bench', 'lock')));
  });
});
