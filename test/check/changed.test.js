import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { check } from '../../dist/cli/commands/check.js';
import { folderOf } from '../support/cli.js';

/** @import { CheckArguments } from '../../dist/cli/commands/check.js' */

/** @param {string} [more] */
const spec = (more = '') => `title = "X"
${more}
[environments.local]
url = "http://127.0.0.1:8080"
[[environments.local.services]]
name = "app"
command = ["true"]
cwd = "../../apps/a"

[scenarios.hello]
executor = "constant-arrival-rate"
rate = 100
duration = "30s"
preAllocatedVUs = 20
requests = [{ get = "/" }]
`;

/** Two systems: a is what its service's folder holds, b is what its paths say; the suite may lie in a subfolder. */
async function repository(sub = '.') {
  const top = await folderOf({ 'README.md': 'x' });
  const suite = join(top, sub);
  /** @param {Record<string, string | null>} files null: delete */
  const put = (files) => {
    for (const [path, text] of Object.entries(files)) {
      if (text === null) {
        rmSync(join(top, path));
        continue;
      }
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), text);
    }
  };
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: top, stdio: 'pipe', encoding: 'utf8' }).trim();
  const commit = (/** @type {string} */ message) => {
    git('add', '--all');
    git('-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '--quiet', '--allow-empty', '-m', message);
  };
  const at = (/** @type {string} */ path) => (sub === '.' ? path : `${sub}/${path}`);
  git('init', '--quiet', '--initial-branch=main');
  put({
    [at('bench.toml')]: '',
    [at('specs/a/spec.toml')]: spec(),
    [at('apps/a/app.js')]: '1',
    [at('specs/b/spec.toml')]: spec('paths = ["shared/*.js", "deep/**/*.js", "whole", "!whole/docs"]'),
    'shared/one.js': '1',
    'whole/x/y.js': '1',
    'whole/docs/z.md': '1',
    'package-lock.json': '{}',
    [at('reports/versions/v1/a/local/hello.json')]: '{}',
    [at('site/layouts/x.html')]: '1',
  });
  commit('first');
  git('checkout', '--quiet', '-b', 'change');
  return { top, suite, put, git, commit, at };
}

/**
 * @param {string} cwd
 * @param {CheckArguments} [options]
 */
async function answer(cwd, options = { systems: true }) {
  let text = '';
  const stdout = {
    write: (/** @type {string} */ part) => {
      text += part;
    },
  };
  const code = await check([], { changedSince: 'main', ...options }, /** @type {any} */ ({ cwd, env: {}, stdout }));
  return { code, text };
}

/** @param {string} cwd */
const affected = async (cwd) => (await answer(cwd)).text.split('\n').filter(Boolean).join(' ');

for (const sub of ['.', 'bench/load']) {
  describe(`the systems that a change concerns, with the suite in ${sub}`, () => {
    it('are none when nothing changed, and then nothing is wrong', async () => {
      const { suite } = await repository(sub);
      assert.deepEqual(await answer(suite), { code: 0, text: '' });
      assert.deepEqual(await answer(suite, { list: true }), { code: 0, text: '[]\n' });
      assert.match((await answer(suite, {})).text, /^no problems in 0 specs/);
    });
    it("are known by their own folder, their services' folders, or their paths", async () => {
      const { suite, put, git, commit, at } = await repository(sub);
      /** @type {[Record<string, string | null>, string][]} */
      const changes = [
        [{ [at('specs/b/data.csv')]: '1' }, 'b'],
        [{ [at('apps/a/lib/new.js')]: '1' }, 'a'],
        [{ 'shared/one.js': '2' }, 'b'],
        [{ 'shared/below/one.js': '2' }, ''],
        [{ 'deep/er/and/er/one.js': '2' }, 'b'],
        [{ 'whole/x/y.js': null }, 'b'],
        [{ 'whole/docs/z.md': '2' }, ''],
        [{ 'README.md': '2', [at('site/layouts/x.html')]: '2', 'src/app.js': '1' }, ''],
        [{ [at('reports/versions/v2/a/local/hello.json')]: '{}' }, ''],
        [{ [at('reports/report.md.jq')]: '1' }, 'a b'],
        [{ [at('bench.toml')]: '# x' }, 'a b'],
        [{ [at('specs/data/rows.csv')]: '1' }, 'a b'], // a folder of specs/ that is no system: anyone may use it
        [{ 'package-lock.json': '{ }' }, 'a b'],
        [{ [at('specs/a/spec.toml')]: 'not toml' }, 'a'],
        [{ 'shared/ä "odd"\n.js': '1' }, 'b'],
        [{ [at('specs/b/spec.toml')]: 'paths = ["!**"]', 'shared/one.js': '3' }, 'b'], // a change cannot hide itself
      ];
      for (const [files, systems] of changes) {
        put(files);
        assert.equal(await affected(suite), systems, `not committed yet: ${Object.keys(files)}`);
        commit('change');
        assert.equal(await affected(suite), systems, `committed: ${Object.keys(files)}`);
        git('reset', '--quiet', '--hard', 'main');
      }
    });
    it('count a file that was moved at both of its places', async () => {
      const { top, suite, commit, at } = await repository(sub);
      renameSync(join(top, at('apps/a/app.js')), join(top, 'shared/app.js'));
      commit('move');
      assert.equal(await affected(suite), 'a b');
    });
  });
}

describe('check --changed-since', () => {
  it('takes what the branch did, not what others did on main meanwhile', async () => {
    const { suite, put, git, commit } = await repository();
    put({ 'shared/one.js': '2' });
    commit('ours');
    git('checkout', '--quiet', 'main');
    put({ 'apps/a/app.js': '2' });
    commit('theirs');
    git('checkout', '--quiet', 'change');
    assert.equal(await affected(suite), 'b');
  });
  it('of a system that was deleted says nothing, and ignored files do not count', async () => {
    const { top, suite, put, commit } = await repository();
    rmSync(join(top, 'specs', 'b'), { recursive: true });
    put({ '.gitignore': 'node_modules/', 'apps/a/node_modules/x/index.js': '1' });
    commit('delete');
    assert.equal(await affected(suite), '');
  });
  it('counts scripts where they are, with what is beside them', async () => {
    const { suite, put, git, commit } = await repository();
    const script =
      '\n[scenarios.own]\nscript = "../../loadtests/own.js"\nexecutor = "constant-vus"\nduration = "30s"\n';
    put({ 'specs/a/spec.toml': spec() + script, 'loadtests/own.js': '1', 'loadtests/lib/config.js': '1' });
    commit('script');
    git('branch', '--force', 'main');
    assert.equal(await affected(suite), '');
    put({ 'loadtests/lib/config.js': '2' });
    assert.equal(await affected(suite), 'a');
  });
  it('narrows --list to their cases, and the check to their specs', async () => {
    const { suite, put } = await repository();
    put({ 'apps/a/app.js': '2' });
    const { text } = await answer(suite, { list: true });
    assert.deepEqual(
      JSON.parse(text).map((/** @type {any} */ { system }) => system),
      ['a'],
    );
    assert.match((await answer(suite, {})).text, /in 1 spec, 1 case\n$/);
  });
  it('says what to do where the commit or the history is missing', async () => {
    const { top, suite, git, commit } = await repository();
    await assert.rejects(answer(suite, { changedSince: 'mian' }), {
      name: 'UserError',
      code: 2,
      message: 'there is no commit "mian" here',
      hint: /git branch -a/,
    });
    await assert.rejects(answer(suite, { changedSince: '--all' }), {
      code: 2,
      message: 'there is no commit "--all" here',
    });
    git('checkout', '--quiet', '--orphan', 'stranger');
    commit('stranger');
    await assert.rejects(answer(suite), { code: 2, message: '"main" and HEAD have no commit in common' });

    git('checkout', '--quiet', '-B', 'change', 'main');
    commit('second');
    const shallow = join(await folderOf({}), 'clone');
    execFileSync('git', ['clone', '--quiet', '--depth=1', '--branch=change', `file://${top}`, shallow]);
    await assert.rejects(answer(shallow), { code: 2, hint: /^The clone is shallow: fetch the rest .*fetch-depth: 0/ });
    execFileSync('git', ['fetch', '--quiet', '--depth=1', 'origin', 'main:main'], { cwd: shallow });
    await assert.rejects(answer(shallow), {
      code: 2,
      message: '"main" and HEAD have no commit in common',
      hint: /shallow/,
    });

    const nowhere = await folderOf({ 'bench.toml': '', 'specs/a/spec.toml': spec() });
    await assert.rejects(answer(nowhere), { code: 2, message: /is in no git repository/ });
  });
  it('refuses paths that lead out of the repository, by name', async () => {
    const { suite, put } = await repository();
    put({ 'specs/b/spec.toml': spec('paths = ["../outside/**"]') });
    await assert.rejects(answer(suite), {
      code: 2,
      message: /^git does not understand the paths of a spec: .*\.\.\/outside/s,
    });
  });
});
