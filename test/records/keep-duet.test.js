import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { keep } from '../../dist/cli/commands/keep.js';
import { report } from '../../dist/cli/commands/report.js';
import { keptDuets, parseDuet } from '../../dist/records/duets.js';
import { pushFiles } from '../../dist/records/push.js';
import { comparisonProblem } from '../../dist/records/records.js';
import { folderOf } from '../support/cli.js';
import { comparisonOf } from '../support/comparisons.js';
import { readJson } from '../support/raw.js';
import { addDuet, addRun, newSuite, worldIn } from '../support/runs.js';

for (const who of ['AUTHOR', 'COMMITTER']) {
  process.env[`GIT_${who}_NAME`] = 'Somebody';
  process.env[`GIT_${who}_EMAIL`] = 'somebody@example.org';
}

const commits = { base: 'a'.repeat(40), head: 'b'.repeat(40) };
const duets = (/** @type {string} */ suite) => join(suite, 'reports', 'duets');
const git = (/** @type {string} */ cwd, /** @type {string[]} */ ...args) => execFileSync('git', args, { cwd });

/** @type {any} */
let failed;
before(async () => {
  failed = await comparisonOf([{ name: 'list', worse: { latency_ms_p50: 1.3 } }], {
    id: '20261121T130000Z-10',
    commits,
  });
});

test('the duet that was measured last is kept under its id, whatever it found, with its blocks and its commits', async () => {
  const suite = newSuite();
  addRun(suite, '20261121T120000Z-9', [{ raw: 'ok' }]);
  addDuet(suite, failed);
  const world = worldIn(suite);
  assert.equal(await keep({}, world), 0);
  assert.equal(
    world.text(),
    'Kept the duet of the working tree against main (0123456789) as 20261121T130000Z-10: reports/duets/20261121T130000Z-10\n' +
      'See it on the pages: npx benchfolio site\n',
  );
  const kept = readJson(join(duets(suite), '20261121T130000Z-10', 'comparison.json'));
  assert.equal(comparisonProblem(kept), null);
  assert.equal(kept.verdict, 'fail');
  assert.deepEqual(kept.commits, commits);
  assert.deepEqual([kept.folder, kept.cases[0].record, kept.cases[0].base_record], [null, null, null]);
  const p50 = kept.cases[0].metrics.find((/** @type {any} */ { metric }) => metric === 'latency_ms_p50');
  assert.deepEqual([p50.blocks.base.length, p50.blocks.head.length], [12, 12]);
  assert.deepEqual(kept.cases[0].distributions.base.p.length, kept.cases[0].distributions.base.values.length);
});

test('a duet has the name that it is given, is found by its id, and is never touched again', async () => {
  const suite = newSuite();
  addDuet(suite, failed);
  addRun(suite, '20261121T140000Z-9', [{ raw: 'ok' }]);
  assert.equal(await keep({ name: '20261121T130000Z-10' }, worldIn(suite)), 0);
  assert.equal(await keep({ name: 'pool', run: '20261121T130000Z-10' }, worldIn(suite)), 0);
  assert.deepEqual(
    keptDuets({ root: suite }, assert.fail).map(({ name }) => name),
    ['20261121T130000Z-10', 'pool'],
  );
  await assert.rejects(keep({ name: 'pool', run: '20261121T130000Z-10' }, worldIn(suite)), {
    code: 2,
    message: `duet pool is kept already, in ${join(duets(suite), 'pool')}`,
  });
  assert.deepEqual(readdirSync(duets(suite)), ['20261121T130000Z-10', 'pool']);
});

test('a kept duet is printed again as it was, by its name', async () => {
  const suite = newSuite();
  addDuet(suite, failed);
  await keep({ name: 'pool' }, worldIn(suite));
  rmSync(join(suite, '.bench'), { recursive: true });
  const world = worldIn(suite);
  assert.equal(await report({ run: 'pool', format: 'json' }, world), 1);
  assert.equal(JSON.parse(world.text()).run, failed.run);
});

test('a duet that compared nothing is refused, with the reason, and nothing is left behind', async () => {
  const suite = newSuite();
  const nothing = await comparisonOf([{ name: 'list', status: 'error', reason: 'service "app" ended with code 1' }]);
  addDuet(suite, nothing);
  await assert.rejects(keep({}, worldIn(suite)), {
    code: 4,
    message:
      /^the duet \S+ cannot be kept: nothing was compared\n {2}shop single list: service "app" ended with code 1$/,
  });
  assert.deepEqual(keptDuets({ root: suite }, assert.fail), []);
});

test('a duet is pushed, and pulled in another clone, beside the versions; what is none is left out, by name', async () => {
  const bare = await folderOf({});
  git(bare, 'init', '--quiet', '--bare', '--initial-branch=main');
  const suites = [];
  for (let i = 0; i < 2; i += 1) {
    const suite = await folderOf({ 'bench.toml': '', '.gitignore': '.bench/\n' });
    git(suite, 'init', '--quiet', '--initial-branch=main');
    git(suite, 'remote', 'add', 'origin', bare);
    suites.push(suite);
  }
  const [writer, reader] = suites;
  addRun(writer, '20261121T120000Z-9', [{ raw: 'ok' }]);
  addDuet(writer, failed);
  const world = worldIn(writer);
  assert.equal(await keep({ name: 'pool', push: true }, world), 0);
  assert.match(world.text(), /^Kept the duet of .* as pool: on bench-data\nSee it .*: npx benchfolio keep --pull; npx/);
  assert.equal(await keep({ name: 'pool', push: true }, world), 0);
  assert.match(world.text(), /as pool: on bench-data, it was there before\n/);
  // a version may be called as the folder of duets is
  assert.equal(await keep({ name: 'duets', run: '20261121T120000Z-9', push: true }, worldIn(writer)), 0);

  const place = { root: writer, remote: 'origin', branch: 'bench-data' };
  const { run, ...without } = failed;
  const bad = {
    'duets/v1.html/comparison.json': JSON.stringify(failed),
    'duets/cut/comparison.json': JSON.stringify(failed).slice(0, 300),
    'duets/deep/comparison.json': JSON.stringify({
      ...failed,
      notes: JSON.parse(`${'['.repeat(99)}${']'.repeat(99)}`),
    }),
    'duets/run/comparison.json': JSON.stringify({ ...without, run: null }),
    'duets/late/comparison.json': JSON.stringify({ ...failed, time: '2200-01-01T00:00:00.000Z' }),
  };
  await pushFiles(place, new Map(Object.entries(bad)), 'Bad');
  const pulling = worldIn(reader);
  assert.equal(await keep({ pull: true, keepGoing: true }, pulling), 0);
  assert.equal(pulling.text(), '1 record and 1 duet from bench-data into reports, 0 were there, 5 left out\n');
  assert.deepEqual(readdirSync(duets(reader)), ['pool']);
  assert.equal(
    readFileSync(join(duets(reader), 'pool', 'comparison.json'), 'utf8'),
    git(bare, 'show', 'bench-data:duets/pool/comparison.json').toString(),
  );
  const again = worldIn(reader);
  assert.equal(await keep({ name: 'pool', pull: true }, again), 0);
  assert.equal(again.text(), '0 records from bench-data into reports, 1 were there\n');
});

test('a file that is no duet says what is wrong with it', () => {
  /** @param {object} change @param {RegExp} message @param {string} [name] */
  const refused = (change, message, name = 'x') =>
    assert.throws(() => parseDuet(JSON.stringify({ ...failed, ...change }), 'x.json', name), { message });
  refused({ schema: 99 }, /of a newer Benchfolio/);
  refused({ exit: 7 }, /x\.json is not the outcome of a duet: \/exit/);
  refused({ cases: [] }, /it compares no two sides of a duet/);
  refused({ run: null }, /it compares no two sides of a duet/);
  refused({}, /cannot name a duet/, '../x');
  refused({ time: 'yesterday' }, /no valid time/);
  refused({ commits: { base: '--output=x', head: null } }, /\/commits\/base must match pattern/);
});

test('a link in the place of a duet is named, and not followed', async () => {
  const suite = newSuite();
  mkdirSync(duets(suite), { recursive: true });
  writeFileSync(join(suite, 'elsewhere'), '');
  symlinkSync(join(suite, 'elsewhere'), join(duets(suite), 'link'));
  /** @type {string[]} */
  const problems = [];
  assert.deepEqual(
    keptDuets({ root: suite }, ({ message }) => problems.push(message)),
    [],
  );
  assert.match(problems[0], /link is a symbolic link$/);
});
