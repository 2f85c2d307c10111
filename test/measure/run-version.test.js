// Each case is kept in a version as it ends, and the next call measures what is missing.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { budgetOf, refuseTooShort } from '../../dist/run/run/budget.js';
import { folderOf, spawnBenchfolio, startBenchfolio } from '../support/cli.js';
import { makeQuiet } from '../support/quiet.js';
import { shop, shopFiles } from '../support/shop.js';
import { assertNothingLeft } from '../support/situations.js';
import { until } from '../support/until.js';

const scenario = `[scenarios.page]
executor = "constant-vus"
vus = 1
duration = "1s"
sweep = { page = [1, 2, 3] }
[[scenarios.page.requests]]
get = "/\${page}"
think = "20ms"
`;
const spec = shop + scenario;

/** @param {string} [more] */
async function suite(more = '') {
  const folder = await folderOf(shopFiles(scenario + more));
  makeQuiet(folder);
  const place = join(folder, 'reports', 'versions', 'v1', 'shop', 'local');
  const run = (/** @type {string[]} */ ...args) => spawnBenchfolio(['run', ...args], { cwd: folder });
  const kept = () => (existsSync(place) ? readdirSync(place).sort() : []);
  return { folder, place, run, kept };
}

const all = ['page,page=1.json', 'page,page=2.json', 'page,page=3.json'];

test('what a version lacks is measured and kept, and nothing of it is rewritten', async () => {
  const { folder, place, run, kept } = await suite();
  const first = await run('--version', 'v1', '--set', 'page=2');
  assert.equal(first.code, 0, first.stdout + first.stderr);
  assert.deepEqual(kept(), ['page,page=2.json']);
  const text = readFileSync(join(place, 'page,page=2.json'), 'utf8');
  assert.deepEqual([JSON.parse(text).version, JSON.parse(text).verdict], ['v1', 'pass']);

  const again = await run('--version', 'v1');
  assert.equal(again.code, 2);
  assert.match(again.stderr, /version v1 has 1 record of these 3 cases\n.*--missing measures the others/);

  const rest = await run('--version', 'v1', '--missing');
  assert.equal(rest.code, 0, rest.stdout + rest.stderr);
  assert.match(rest.stderr, /^2 cases, 1 round each/m);
  assert.deepEqual(kept(), all);
  assert.equal(readFileSync(join(place, 'page,page=2.json'), 'utf8'), text);

  const runs = readdirSync(join(folder, '.bench', 'runs'));
  const none = await run('--version', 'v1', '--missing');
  assert.deepEqual([none.code, none.stdout], [0, 'Nothing to measure: version v1 has all of it (3 cases).\n']);
  assert.deepEqual(readdirSync(join(folder, '.bench', 'runs')), runs);

  writeFileSync(join(folder, 'specs/shop/spec.toml'), spec.replace('duration = "1s"', 'duration = "2s"'));
  const otherwise = await run('--version', 'v1', '--missing');
  assert.equal(otherwise.code, 2);
  assert.match(
    otherwise.stderr,
    /version v1 was measured otherwise in 3 cases: shop\/local\/page,page=1 \(another definition\), .*\n.*choose another name/,
  );
});

test('a kill in the middle loses the case under way alone, and leaves nothing half', async () => {
  const { folder, run, kept } = await suite();
  const { child, done } = startBenchfolio(['run', '--version', 'v1', '--missing'], { cwd: folder });
  await until(
    () => kept().length > 0,
    () => 'nothing was kept',
  );
  child.kill('SIGKILL');
  await done;
  const before = kept();
  assert.deepEqual(
    before.filter((name) => !all.includes(name)),
    [],
  );
  const { code, stdout, stderr } = await run('--version', 'v1', '--missing');
  assert.equal(code, 0, stdout + stderr);
  assert.deepEqual(kept(), all);
  await assertNothingLeft(folder);
});

test('a case that misses its thresholds is not kept, and is said', async () => {
  const { run, kept } = await suite('[scenarios.page.thresholds]\nhttp_req_duration = "max<0.000001"\n');
  const { code, stderr } = await run('--version', 'v1', '--set', 'page=1');
  assert.equal(code, 1, stderr);
  assert.match(stderr, /not kept in v1: fail$/m);
  assert.deepEqual(kept(), []);
});

test('--missing is of a version, and a version has a name', async () => {
  const { run } = await suite();
  const [alone, named] = [await run('--missing'), await run('--version', '../v1')];
  assert.deepEqual([alone.code, named.code], [2, 2]);
  const itself = await run('--version', 'v1', '--baseline', 'v1');
  assert.deepEqual([itself.code, /compared with itself/.test(itself.stderr)], [2, true]);
  assert.match(alone.stderr, /--missing needs the version that lacks something/);
  assert.match(named.stderr, /"\.\.\/v1" cannot name a version/);
});

test('cases that a budget has no time for are no pass', async () => {
  const { folder, run, kept } = await suite();
  const longer = spec
    .replace('duration = "1s"', 'duration = "${length}"')
    .replace('sweep = { page = [1, 2, 3] }', 'sweep = [{ page = 1, length = "1s" }, { page = 2, length = "1h" }]');
  writeFileSync(join(folder, 'specs/shop/spec.toml'), longer);
  const { code, stdout, stderr } = await run('--version', 'v1', '--budget', '30m');
  assert.equal(code, 3, stdout + stderr);
  assert.match(stderr, /no time was left for 1 case, of about 1 h/);
  assert.match(stdout, /no time was left in the budget/);
  assert.equal(kept().length, 1);
});

test('where all is still to do, a version does not have all of it', async () => {
  const none = await suite();
  writeFileSync(
    join(none.folder, 'specs/shop/spec.toml'),
    spec.replace('vus = 1\n', 'vus = 1\nstatus = "todo"\nreason = "There is no page yet."\n'),
  );
  const { stdout, stderr } = await none.run('--version', 'v1', '--missing');
  assert.doesNotMatch(stdout, /has all of it/);
  assert.match(stdout + stderr, /There is no page yet\./);
});

describe('a budget', () => {
  const long = /** @type {any} */ ({ duration_s: 600 });
  const short = /** @type {any} */ ({ duration_s: 10 });
  const endsItself = /** @type {any} */ ({ duration_s: null });

  it('has room for what ends within it, and says what it has no room for', () => {
    const { fits, leftText } = budgetOf(300, 2);
    assert.deepEqual([short, long, short, endsItself].map(fits), [true, false, true, true]);
    assert.match(leftText(), /^no time was left for 1 case, of about 20 min/);
    const endless = budgetOf(undefined, 2);
    assert.deepEqual([endless.fits(long), endless.leftText()], [true, '']);
  });

  it('that is too short for any case is refused before the load', () => {
    assert.throws(() => refuseTooShort([long, short], 15, 2), /--budget is 15 s, and the shortest case takes \d\d s/);
    refuseTooShort([long, short], 60, 2);
    refuseTooShort([], 1, 2);
    refuseTooShort([long, endsItself], 1, 2);
  });
});
