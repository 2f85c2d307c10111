// What a duet finds, by real loads: a verdict needs the machine's real speed.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { cacheOf, duet } from '../support/commits.js';
import { loopRepository, spec } from '../support/loop-service.js';
import { assertNothingLeft } from '../support/situations.js';

const repository = loopRepository.bind(null, 0.05);

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

  test('names a head that is ready later', async () => {
    const late = spec.replace(/command = .*/, 'command = ["sh", "-c", "sleep 1.5; exec node server.cjs"]');
    const folder = await repository({}, { spec: late });
    const { json, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD', 'loop', '--blocks', '4', '--json');
    assert.ok(json, stdout + stderr);
    const found = json.cases[0].findings.find((/** @type {any} */ { id }) => id === 'starts-slower');
    assert.match(found.text, /^Starts slower: head was ready after (?:1\.[5-9]|[2-9]).* s, base after /);
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
});
