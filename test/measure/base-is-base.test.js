// A base that was asked for as a commit is that commit, whatever the head brings: nothing is run.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { compareSides } from '../../dist/run/duet/ruler/compare-sides.js';
import { findSide } from '../../dist/run/duet/sides.js';
import { loadSuite } from '../../dist/suite/suite.js';
import { cacheOf, commit, repositoryOf } from '../support/commits.js';

const run = promisify(execFile);

const spec = `title = "Shop"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
command = ["node", "app.js"]
env = { PORT = "\${port}" }
[scenarios.s]
executor = "constant-vus"
duration = "1s"
requests = [{ get = "/" }]
`;

const usual = {
  'bench.toml': '',
  'specs/shop/spec.toml': spec,
  'app/data.json': '{"slow":false}\n',
  'app/start.sh': 'echo\n',
};

/** @param {string} folder @param {string} word @param {string} [suite] */
const sideOf = (folder, word, suite = folder) =>
  findSide(word, { suite: { root: suite }, cwd: suite, env: { ...process.env, XDG_CACHE_HOME: cacheOf(folder) } });

/** @param {string} folder @param {string} [suite] */
async function ruleOf(folder, suite = folder) {
  const [base, head] = [await sideOf(folder, 'HEAD~1', suite), await sideOf(folder, 'HEAD', suite)];
  return { base, head, rule: await compareSides(base, head, { systems: ['shop'] }, loadSuite(suite)) };
}

/** @param {string} name @param {Record<string, string>} files */
const within = (name, files) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}/${path}`, text]));

test('a folder called like a commit is an error that names both ways, on either side', async () => {
  for (const name of ['HEAD^1', 'HEAD', 'main', 'HEAD~1', '@', 'HEAD^{}']) {
    const folder = await repositoryOf(usual, {}, within(name, usual));
    await assert.rejects(sideOf(folder, name), (/** @type {any} */ error) => {
      assert.match(error.message, /is a commit \([0-9a-f]{10}\), and a folder with a suite/);
      assert.match(error.hint, /^Write [0-9a-f]{10} for the commit, \.\//);
      return true;
    });
    const side = await sideOf(folder, `./${name}`);
    assert.equal(side.root, join(folder, name));
  }
  const folder = await repositoryOf(usual, {}, within('other', usual));
  assert.equal((await sideOf(folder, 'other')).root, join(folder, 'other'), 'no commit has this name');
});

test("base's files are what a checkout of base writes, whatever head and the user have configured", async () => {
  for (const [path, text] of [
    ['.gitattributes', '*.json working-tree-encoding=UTF-16LE-BOM text\n*.sh text eol=crlf\n'],
    ['app/.gitattributes', '* text eol=crlf\n'],
    ['.gitattributes', '* filter=evil\n'],
    ['.gitattributes', '*.json export-ignore\n* ident\n'],
  ]) {
    const folder = await repositoryOf(usual, {});
    await writeFile(join(folder, path), text);
    await run('git', ['add', path], { cwd: folder });
    await run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'x'], { cwd: folder });
    await run('git', ['config', 'filter.evil.smudge', 'echo evil'], { cwd: folder });
    await run('git', ['config', 'core.autocrlf', 'true'], { cwd: folder });
    await mkdir(join(folder, '.git', 'info'), { recursive: true });
    await writeFile(join(folder, '.git', 'info', 'attributes'), '*.sh filter=evil\n');
    const { root, notes } = await sideOf(folder, 'HEAD~1');
    assert.equal(await readFile(join(root, 'app', 'data.json'), 'utf8'), usual['app/data.json'], text);
    assert.equal(await readFile(join(root, 'app', 'start.sh'), 'utf8'), usual['app/start.sh'], text);
    assert.ok(!existsSync(join(root, '.gitattributes')));
    assert.deepEqual(notes, []);
  }
});

test("base's own attributes count, and what is not there is said", async () => {
  const object = 'the file itself\n';
  const oid = 'f4f5a63ec5e33a37b3c6cf9ac51f2c2cb6d3a6ad2c0dd5f4a2e2f5f1cf1e0d3a';
  const pointer = (/** @type {string} */ hash) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${hash}\nsize ${object.length}\n`;
  const { createHash } = await import('node:crypto');
  const there = createHash('sha256').update(object).digest('hex');
  const folder = await repositoryOf(
    usual,
    {
      '.gitattributes': '*.cmd text eol=crlf\n*.bin filter=lfs diff=lfs -text\n*.key filter=crypt\n',
      'app/a.cmd': 'x\n',
      'app/there.bin': pointer(there),
      'app/away.bin': pointer(oid),
      'app/a.key': 'k\n',
    },
    { '.gitattributes': null },
  );
  const store = join(folder, '.git', 'lfs', 'objects', there.slice(0, 2), there.slice(2, 4));
  await mkdir(store, { recursive: true });
  await writeFile(join(store, there), object);
  const { root, label, notes } = await sideOf(folder, 'HEAD~1');
  assert.equal(await readFile(join(root, 'app', 'a.cmd'), 'utf8'), 'x\r\n');
  assert.equal(await readFile(join(root, 'app', 'there.bin'), 'utf8'), object);
  assert.deepEqual([...notes].sort(), [
    `${label}: Git LFS has these files and this clone has not: app/away.bin. git lfs fetch --all brings them.`,
    `${label}: The filter "crypt" was not applied to app/a.key.`,
  ]);
  const again = await sideOf(folder, 'HEAD~1');
  assert.deepEqual(
    [again.root, again.notes],
    [root, notes],
    'its files are still those that attributes made of the commit',
  );
  await writeFile(join(root, 'app', 'a.cmd'), 'x\n');
  assert.match((await sideOf(folder, 'HEAD~1')).notes.join(), /checked out again: app\/a\.cmd/);
});

test("an object that git replace put in place of base's is not base", async () => {
  const folder = await repositoryOf(usual, {}, { 'app/data.json': '{"slow":true}\n' });
  await run('git', ['replace', 'HEAD~1', 'HEAD'], { cwd: folder });
  await run('git', ['replace', 'HEAD~1:app/data.json', 'HEAD:app/data.json'], { cwd: folder });
  const { root } = await sideOf(folder, 'HEAD~1');
  assert.equal(await readFile(join(root, 'app', 'data.json'), 'utf8'), usual['app/data.json']);
});

test('submodules are named', async () => {
  const folder = await repositoryOf(usual, {});
  const { stdout } = await run('git', ['rev-parse', 'HEAD'], { cwd: folder });
  await run('git', ['update-index', '--add', '--cacheinfo', `160000,${stdout.trim()},vendor/lib`], { cwd: folder });
  await run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'x'], { cwd: folder });
  await commit(folder);
  const { notes, label } = await sideOf(folder, 'HEAD~1');
  assert.deepEqual(notes, [`${label}: Submodules are not in its checkout: vendor/lib.`]);
});

test('a cached checkout is compared with the commit before each use, and made anew where it differs', async () => {
  const folder = await repositoryOf(usual, {}, { 'app/data.json': '{"slow":true}\n' });
  const { root } = await sideOf(folder, 'HEAD~1');
  await writeFile(join(root, 'built'), 'by a build');
  assert.deepEqual((await sideOf(folder, 'HEAD~1')).notes, []);
  assert.ok(existsSync(join(root, 'built')), 'what was built stays while the files are those of the commit');
  const spoil = [
    () => writeFile(join(root, 'app', 'data.json'), '{"slow":1234}\n'), // as long as it was
    () => appendFile(join(root, 'specs', 'shop', 'spec.toml'), '# more'),
    () => rm(join(root, 'app', 'start.sh')),
    () => rename(join(root, 'app'), join(root, 'built-app')).then(() => symlink('built-app', join(root, 'app'))),
    () => rm(join(root, 'app', 'data.json')).then(() => symlink('start.sh', join(root, 'app', 'data.json'))),
    () => chmod(join(root, 'app', 'start.sh'), 0o755),
    () => writeFile(join(root, '.gitattributes'), '* -text\n').then(() => rm(join(root, 'bench.toml'))),
  ];
  for (const change of spoil) {
    await writeFile(join(root, 'built'), 'by a build');
    await change();
    const again = await sideOf(folder, 'HEAD~1');
    assert.equal(again.root, root);
    assert.match(again.notes.join(), /It was checked out again: .* was not the commit's any more\.$/);
    assert.ok(!existsSync(join(root, 'built')), 'it may have been built of changed files');
    assert.equal(await readFile(join(root, 'app', 'data.json'), 'utf8'), usual['app/data.json']);
  }
});

test('an A/A trial is two sides of which all files are the same, those outside of the suite too', async () => {
  const files = within('bench', { 'bench.toml': '', 'specs/shop/spec.toml': spec });
  const folder = await repositoryOf({ ...files, 'app/app.js': '1' }, {}, { 'app/app.js': '2' });
  const { rule } = await ruleOf(folder, join(folder, 'bench'));
  assert.deepEqual(rule.changes, []);
  await commit(folder); // an empty one
  const same = await ruleOf(folder, join(folder, 'bench'));
  assert.deepEqual(
    same.rule.changes.map(({ subject, looser }) => [subject, looser]),
    [['files', false]],
  );
  await writeFile(join(folder, 'app', 'app.js'), '3');
  const dirty = await sideOf(folder, '.', join(folder, 'bench'));
  assert.equal(dirty.dirty, true, 'a service outside of the suite has changed');
});

test("a base without a benchmark does not take that of a suite above its checkout, nor head's rules for its own", async () => {
  const folder = await repositoryOf({ 'app/app.js': '' }, {}, { 'bench.toml': '', 'specs/shop/spec.toml': spec });
  const { base, rule } = await ruleOf(folder);
  assert.equal(base.suite, null);
  assert.deepEqual([rule.changes, rule.accept, rule.gone], [[], [], []]);
});

test('systems that head does not have are gone, whatever is measured, until base accepts it', async () => {
  const two = { ...usual, 'specs/mail/spec.toml': spec };
  const folder = await repositoryOf(two, {}, { 'specs/mail/spec.toml': null });
  const { rule } = await ruleOf(folder);
  assert.deepEqual(
    rule.gone.map(({ subject, accept, accepted }) => ({ subject, accept, accepted })),
    [{ subject: 'system mail', accept: 'system mail: there -> gone', accepted: null }],
  );
  const accept = '[[accept]]\nchange = "system mail: there -> gone"\nreason = "nobody sends any"\n';
  const other = await repositoryOf({ ...two, 'bench.toml': accept }, {}, { 'specs/mail/spec.toml': null });
  assert.deepEqual(
    (await ruleOf(other)).rule.gone.map(({ accepted }) => accepted),
    ['nobody sends any'],
  );
});

test('a change is accepted with its values, and no other', async () => {
  const limited = `${spec}[scenarios.s.thresholds]\nhttp_req_duration = ["p(95)<40"]\n`;
  const change =
    'shop/local/s: threshold http_req_duration p(95) at most: < 40, from 400 samples -> < 50, from 400 samples';
  const accept = `[[accept]]\nchange = ${JSON.stringify(change)}\nreason = "twice as many books"\n`;
  const base = { ...usual, 'bench.toml': accept, 'specs/shop/spec.toml': limited };
  const acceptedOf = async (/** @type {string} */ expression) => {
    const head = { 'specs/shop/spec.toml': limited.replace('p(95)<40', expression) };
    const { rule } = await ruleOf(await repositoryOf(base, {}, head));
    return rule.changes.map(({ accepted }) => accepted);
  };
  assert.deepEqual(await acceptedOf('p(95)<50'), ['twice as many books']);
  assert.deepEqual(await acceptedOf('p(95)<60000'), [null]);
  assert.deepEqual(await acceptedOf('p(95)<50.1'), [null]);
});

test('a repository that git refuses is said in its own words', { skip: process.getuid?.() !== 0 }, async () => {
  const folder = await repositoryOf(usual, {});
  await run('chown', ['-R', '12345', folder]);
  await assert.rejects(sideOf(folder, 'HEAD~1'), (/** @type {any} */ error) => {
    assert.match(
      error.message,
      /"HEAD~1" is not a folder, and git says of .*: detected dubious ownership in repository/,
    );
    assert.match(error.hint, /^git config --global --add safe\.directory /);
    return true;
  });
});

test('a folder that is laid out like a bare repository runs nothing', async () => {
  const folder = await repositoryOf(usual, {});
  const bare = join(folder, 'suite');
  await run('git', ['init', '-q', '--bare', bare]);
  for (const [path, text] of Object.entries(usual)) {
    await mkdir(dirname(join(bare, path)), { recursive: true });
    await writeFile(join(bare, path), text);
  }
  await run('git', ['-C', bare, 'config', 'core.fsmonitor', `touch ${join(folder, 'ran')}; false`]);
  await run('git', ['-C', bare, 'config', 'core.bare', 'false']);
  await sideOf(folder, '.', bare).catch(() => {});
  await assert.rejects(sideOf(folder, 'HEAD', bare));
  assert.ok(!existsSync(join(folder, 'ran')));
});
