import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { keep } from '../../dist/cli/commands/keep.js';
import { pushFiles } from '../../dist/records/push.js';
import { recordText } from '../../dist/records/record-text.js';
import { versionNames } from '../../dist/records/records.js';
import { benchfolio, folderOf, root } from '../support/cli.js';
import { rawOf, readJson } from '../support/raw.js';
import { addRun, worldIn } from '../support/runs.js';

for (const who of ['AUTHOR', 'COMMITTER']) {
  process.env[`GIT_${who}_NAME`] = 'Somebody';
  process.env[`GIT_${who}_EMAIL`] = 'somebody@example.org';
}

const git = (/** @type {string} */ cwd, /** @type {string[]} */ ...args) =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** A repository on a server, empty but for its main branch. */
async function server() {
  const bare = await folderOf({});
  git(bare, 'init', '--quiet', '--bare', '--initial-branch=main');
  const suite = await clone(bare);
  git(suite, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  git(suite, 'push', '--quiet', 'origin', 'HEAD:main');
  return bare;
}

/**
 * Somebody's clone of it, with a run that can be kept.
 * @param {string} bare
 * @param {string[]} [raws]
 */
async function clone(bare, raws = []) {
  const suite = await folderOf({ 'bench.toml': '', '.gitignore': '.bench/\n' });
  git(suite, 'init', '--quiet', '--initial-branch=main');
  git(suite, 'remote', 'add', 'origin', bare);
  if (raws.length)
    addRun(
      suite,
      'one',
      raws.map((raw) => ({ raw })),
    );
  return suite;
}

const place = (/** @type {string} */ suite) => ({ root: suite, remote: 'origin', branch: 'bench-data' });

const filesOn = (/** @type {string} */ bare, branch = 'bench-data') =>
  git(bare, 'ls-tree', '-r', '--name-only', branch).split('\n');

/** @param {string} version @param {object} [change] */
const record = (version, change = {}) =>
  recordText({ ...readJson(join(rawOf('ok'), 'record.json')), version, ...change });

/**
 * A process of its own that pushes the records of a version, without a run to reduce before.
 * @param {string} suite
 * @param {string} version
 */
function pushing(suite, version) {
  const files = ['ok', 'warmup'].map((name) => [pathOf(version, name), record(version, { case: name })]);
  const program = `
    import { pushFiles } from ${JSON.stringify(join(root, 'dist', 'records', 'push.js'))};
    await pushFiles(${JSON.stringify(place(suite))}, new Map(${JSON.stringify(files)}), 'Keep ${version}');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-'], { stdio: ['pipe', 'inherit', 'inherit'] });
  return child.on('spawn', () => child.stdin?.end(program));
}

const pathOf = (/** @type {string} */ version, /** @type {string} */ name) => `${version}/tiny/single/${name}.json`;

const sameAs = (/** @type {string} */ suite) => ({
  status: git(suite, 'status', '--porcelain', '--branch', '--untracked-files=all'),
  refs: git(suite, 'for-each-ref', 'refs/heads', 'refs/tags', 'refs/stash'), // git itself notes what it has pushed
  index: existsSync(join(suite, '.git', 'index')) && readFileSync(join(suite, '.git', 'index')),
  fetched: existsSync(join(suite, '.git', 'FETCH_HEAD')),
  config: readFileSync(join(suite, '.git', 'config'), 'utf8'),
});

test('records are kept on a branch of their own, and nothing here is touched', async () => {
  const bare = await server();
  const suite = await clone(bare, ['ok', 'warmup', 'dropped']);
  git(suite, 'add', '.gitignore');
  const before = sameAs(suite);
  const world = worldIn(suite);
  assert.equal(await keep({ name: 'v1', push: true }, world), 3);
  assert.match(
    world.text(),
    /^Kept 2 records of the run \S+ as v1: on bench-data\nLeft out:\n {2}tiny single dropped: invalid/,
  );
  assert.deepEqual(sameAs(suite), before);
  assert.deepEqual(filesOn(bare), ['v1/tiny/single/ok.json', 'v1/tiny/single/warmup.json']);
  assert.equal(git(bare, 'log', '--format=%s|%P|%an', 'bench-data'), `Keep v1: 2 records of the run one||Somebody`);
  assert.equal(git(bare, 'branch', '--format=%(refname:short)'), 'bench-data\nmain');
});

test('the same records once more are no news; others of the same version join them; another branch is another', async () => {
  const bare = await server();
  const suite = await clone(bare, ['ok']);
  await keep({ name: 'v1', push: true }, worldIn(suite));
  const tip = git(bare, 'rev-parse', 'bench-data');
  const world = worldIn(suite);
  assert.equal(await keep({ name: 'v1', push: true }, world), 0);
  assert.match(world.text(), /as v1: on bench-data, 1 of them before\n/);
  assert.equal(git(bare, 'rev-parse', 'bench-data'), tip);
  await keep({ name: 'v1', push: true }, worldIn(await clone(bare, ['warmup'])));
  assert.deepEqual(filesOn(bare), ['v1/tiny/single/ok.json', 'v1/tiny/single/warmup.json']);
  await keep({ name: 'v1', push: true, branch: 'nightly' }, worldIn(suite));
  assert.deepEqual(filesOn(bare, 'nightly'), ['v1/tiny/single/ok.json']);
});

test('a shallow clone of one branch, as CI has it, is enough', async () => {
  const bare = await server();
  await keep({ name: 'v1', push: true }, worldIn(await clone(bare, ['ok'])));
  const suite = join(await folderOf({}), 'clone');
  git(bare, 'clone', '--quiet', '--depth=1', '--branch=main', `file://${bare}`, suite);
  await pushFiles(place(suite), new Map([[pathOf('v2', 'ok'), record('v2')]]), 'Keep v2');
  assert.deepEqual(filesOn(bare), [pathOf('v1', 'ok'), pathOf('v2', 'ok')]);
  writeFileSync(join(suite, 'bench.toml'), '');
  assert.equal(await keep({ pull: true }, worldIn(suite)), 0);
});

test('a file is never rewritten: the same place with other content is refused, and nothing of the push stays', async () => {
  const bare = await server();
  const suite = await clone(bare);
  await pushFiles(place(suite), new Map([['v1/tiny/single/ok.json', 'one']]), 'Keep v1');
  const tip = git(bare, 'rev-parse', 'bench-data');
  const push = (/** @type {[string, string][]} */ ...files) => pushFiles(place(suite), new Map(files), 'Keep');
  await assert.rejects(push(['v1/tiny/single/ok.json', 'two'], ['v1/tiny/single/new.json', 'x']), {
    name: 'UserError',
    code: 2,
    message: 'bench-data has v1/tiny/single/ok.json already, with other content',
    hint: /choose another version/,
  });
  await assert.rejects(push(['v1/tiny/single/ok.json/below', 'x']), {
    code: 2,
    message: /has v1\/tiny\/single\/ok\.json already/,
  });
  await assert.rejects(push(['v1', 'x']), { code: 2, message: /has v1\/tiny\/single\/ok\.json already/ });
  assert.equal(git(bare, 'rev-parse', 'bench-data'), tip);
});

test('eight at once lose nothing, and end', async () => {
  const bare = await server();
  const suites = await Promise.all([1, 2, 3, 4].map(() => clone(bare)));
  const versions = Array.from({ length: 8 }, (_, i) => `v${i}`);
  const ended = versions.map((version, i) => once(pushing(suites[i % suites.length], version), 'exit'));
  assert.deepEqual(
    (await Promise.all(ended)).map(([code]) => code),
    versions.map(() => 0),
  );
  assert.deepEqual(
    filesOn(bare),
    versions.flatMap((version) => [pathOf(version, 'ok'), pathOf(version, 'warmup')]).sort(),
  );
  assert.equal(git(bare, 'rev-list', '--count', 'bench-data'), '8');
  assert.equal(git(bare, 'rev-list', '--merges', 'bench-data'), '');
  git(bare, 'fsck', '--strict', '--no-dangling');

  const reader = await clone(bare);
  assert.equal(await keep({ pull: true }, worldIn(reader)), 0);
  assert.deepEqual(versionNames({ root: reader }), [...versions].sort());
});

test('one that is killed leaves nothing half, and the next goes on', async () => {
  const bare = await server();
  const suite = await clone(bare);
  const before = sameAs(suite);
  const delays = Array.from({ length: 6 }, (_, i) => 40 + 60 * i);
  for (const [n, delay] of delays.entries()) {
    const child = pushing(suite, `v${n}`);
    await Promise.race([wait(delay), once(child, 'exit')]);
    child.kill('SIGKILL');
  }
  await wait(500); // what git had begun on the server ends by itself
  assert.deepEqual(sameAs(suite), before);
  git(bare, 'fsck', '--strict', '--no-dangling');
  const there = git(bare, 'branch', '--list', 'bench-data') ? filesOn(bare) : [];
  for (const n of delays.keys()) {
    const own = there.filter((path) => path.startsWith(`v${n}/`)).length;
    assert.ok(own === 0 || own === 2, `v${n}: all or none`);
    assert.deepEqual((await once(pushing(suite, `v${n}`), 'exit'))[0], 0);
  }
  assert.equal(filesOn(bare).length, 2 * delays.length);
});

test('what is no record there is named and left out; the rest comes, and is used like any version', async () => {
  const bare = await server();
  const suite = await clone(bare, ['ok']);
  const whole = record('v1');
  const at = (/** @type {string} */ name) => pathOf('v1', name);
  await pushFiles(
    place(suite),
    new Map([
      ['README.md', 'Records of benchfolio.'],
      [at('ok'), whole],
      [at('cut'), whole.slice(0, 700)],
      [at('empty'), ''],
      [at('elsewhere'), whole],
      [at('large'), ' '.repeat(2e6)],
      [at('other'), record('v1', { schema: 9 })],
      ['v2/tiny/single/ok.json', record('v2')],
      ['v3/notes.txt', 'x'],
    ]),
    'by hand',
  );
  const { code, stdout, stderr } = await benchfolio(['keep', '--pull'], { cwd: suite });
  assert.deepEqual(
    stderr
      .split('\n')
      .map((line) =>
        line.replace(
          /^left out: (\S+): .*?(truncated|its path says|bytes|schema version|not in the folder).*/,
          '$1 $2',
        ),
      ),
    [
      `${at('cut')} truncated`,
      `${at('elsewhere')} its path says`,
      `${at('empty')} truncated`,
      `${at('large')} bytes`,
      `${at('other')} schema version`,
      'v3/notes.txt not in the folder',
      '',
    ],
  );
  assert.equal(stdout, '2 records from bench-data into reports, 0 were there, 6 left out\n');
  assert.equal(code, 2);
  assert.equal(readFileSync(join(suite, 'reports', 'versions', at('ok')), 'utf8'), whole);
  assert.equal((await benchfolio(['keep', '--pull', '--keep-going'], { cwd: suite })).code, 0);
  assert.equal((await benchfolio(['compare', 'v1', 'v2'], { cwd: suite })).code, 3); // one run each: unclear, but compared
  await keep({ name: 'v4', push: true }, worldIn(suite)); // a damaged neighbour is nobody else's problem
});

test('a pull brings one version or all, and changes no file that is here', async () => {
  const bare = await server();
  const suite = await clone(bare, ['ok']);
  for (const version of ['v1', 'v1.1']) await keep({ name: version, push: true }, worldIn(suite));
  const reader = await clone(bare);
  const world = worldIn(reader);
  assert.equal(await keep({ name: 'v1', pull: true }, world), 0);
  assert.equal(world.text(), '1 record from bench-data into reports, 0 were there\n');
  assert.equal(existsSync(join(reader, 'reports', 'versions', 'v1.1')), false);
  const file = join(reader, 'reports', 'versions', 'v1', 'tiny', 'single', 'ok.json');
  writeFileSync(file, 'mine');
  const { code, stderr } = await benchfolio(['keep', '--pull'], { cwd: reader });
  assert.equal(code, 2);
  assert.match(stderr, /^left out: v1\/tiny\/single\/ok\.json: it is here already, with other content\n$/);
  assert.equal(readFileSync(file, 'utf8'), 'mine');
  await assert.rejects(keep({ name: 'v9', pull: true }, worldIn(reader)), {
    code: 2,
    message: 'bench-data of origin has no version or duet v9',
  });
});

test('what cannot be done says why, and what to do', async () => {
  const bare = await server();
  const suite = await clone(bare, ['ok']);
  const push = (/** @type {object} */ more = {}) => keep({ name: 'v1', push: true, ...more }, worldIn(suite));
  await assert.rejects(keep({ pull: true }, worldIn(suite)), {
    code: 2,
    message: 'there is no bench-data of origin',
    hint: /keep <name> --push/,
  });
  await assert.rejects(push({ remote: 'upstream' }), {
    code: 4,
    message: /^cannot read bench-data of upstream: fatal: 'upstream' does not appear/,
  });
  await assert.rejects(push({ remote: 'file://somebody:secret@/nowhere' }), (/** @type {any} */ error) => {
    assert.doesNotMatch(error.message, /secret/);
    return error.code === 4;
  });
  for (const branch of ['a..b', '--upload-pack=x', 'HEAD', 'refs/heads/main', '+main', 'a b', '']) {
    await assert.rejects(push({ branch }), { code: 2, message: `"${branch}" cannot name a branch` });
  }
  await assert.rejects(keep({ push: true }, worldIn(suite)), { code: 2, message: 'keep needs a name for the version' });
  writeFileSync(join(bare, 'hooks', 'pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  await assert.rejects(push(), {
    code: 4,
    message: 'the records were not taken into bench-data of origin: [remote rejected] (pre-receive hook declined)',
    hint: /Nothing was changed/,
  });
});
