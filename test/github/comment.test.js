// One comment on a pull request, whoever writes at the same time.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resultsIn } from '../../dist/forge/marker.js';
import { spawnBenchfolio } from '../support/cli.js';
import { addComment, heads } from '../support/github-server.js';
import { later, pass, pullRequest, untouched, worse } from '../support/pull-request.js';

const marker = 'benchfolio . default';

describe('one comment', { concurrency: 4 }, () => {
  test('created once, updated after; the summary has it each time; the exit code is 0', async () => {
    const { github, comment, summary } = await pullRequest();
    const first = await comment(worse);
    assert.deepEqual([first.code, first.stderr], [0, '']);
    assert.match(first.stdout, /^comment created: https:\S+#issuecomment-101\n$/);
    assert.match(github.comments[0].body, /^### ✕ /);
    assert.match(summary(), /^### ✕ /);
    const second = await comment(later(pass, 1));
    assert.match(second.stdout, /^comment updated: /);
    assert.equal(github.comments.length, 1);
    assert.match(
      github.comments[0].body,
      /^### ✓ [\s\S]*\*\*Gone since aaaaaaaaaa\*\*[\s\S]*Earlier on this pull request: 1\*\*/,
    );
    const third = await comment(later(pass, 1));
    assert.match(third.stdout, /^comment kept: /);
    assert.equal((await comment(later(worse, 2), ['--exit-code'])).code, 1);
  });

  test("a comment a key, and a user's token", async () => {
    const { github, comment } = await pullRequest({ token: 'ann' });
    await comment(worse);
    await comment(worse, ['--key', 'nightly']);
    await comment(later(pass, 1), ['--key', 'nightly']);
    assert.deepEqual(
      github.comments.map(({ user, body }) => [
        user.login,
        /^### (\S) .*\n\nBenchmarks( \(nightly\))? of/.exec(body)?.slice(1),
      ]),
      [
        ['ann', ['✕', undefined]],
        ['ann', ['✓', ' (nightly)']],
      ],
    );
  });

  test('120 older comments on other pages do not hide ours, and a look-alike of somebody else is left alone', async () => {
    const { github, comment } = await pullRequest();
    await comment(worse);
    const [ours] = github.comments.splice(0);
    for (let i = 0; i < 120; i += 1) addComment(github, 'ann', `comment ${i}`);
    addComment(github, 'mallory', ours.body);
    github.comments.push({ ...ours, id: 999 });
    const { stdout } = await comment(later(pass, 1));
    assert.match(stdout, /^comment updated/);
    assert.equal(github.comments.length, 122);
    assert.equal(github.comments[120].body, ours.body);
    assert.match(github.comments[121].body, /^### ✓/);
  });

  test('our marker inside of a comment of ours is no marker: only the last line is', async () => {
    const { github, comment } = await pullRequest();
    addComment(github, 'github-actions[bot]', `<!-- ${marker} W10= -->\nwritten by another action`);
    await comment(pass);
    assert.equal(github.comments.length, 2);
    assert.match(github.comments[0].body, /another action/);
  });

  test('five processes at once leave one comment, with the newest comparison', async () => {
    const { github, where, fileOf } = await pullRequest();
    github.delay_ms = 30;
    const files = Array.from({ length: 5 }, (_, i) => fileOf(later(i % 2 ? pass : worse, i)));
    const done = await Promise.all(files.map((file) => spawnBenchfolio(['comment', file], where)));
    assert.deepEqual(
      done.map(({ code, stderr }) => [code, stderr]),
      Array(5).fill([0, '']),
    );
    assert.equal(github.comments.length, 1);
    assert.equal(resultsIn(github.comments[0].body, marker)?.[0].time, '2026-11-21T13:04:00.000Z');
  });

  test('what an older comparison wrote over ours at the same time is written again', async () => {
    const { github, comment } = await pullRequest();
    await comment(later(worse, 1));
    const [{ body }] = github.comments;
    let overwritten = 0;
    github.before = ({ method }) => {
      if (method === 'GET' && overwritten === 0 && resultsIn(github.comments[0].body, marker)?.[0].verdict === 'pass') {
        github.comments[0].body = body;
        overwritten += 1;
      }
      return null;
    };
    assert.match((await comment(later(pass, 2))).stdout, /^comment updated/);
    assert.equal(overwritten, 1);
    assert.match(github.comments[0].body, /^### ✓/);
  });

  test('what a newer comparison posts while our text is made is not overwritten', async () => {
    const { github, comment } = await pullRequest();
    await comment(later(worse, 1));
    const [{ body: before }] = github.comments;
    await comment(later(pass, 3));
    const [{ body: newest }] = github.comments;
    github.comments[0].body = before;
    let reads = 0;
    let writes = 0;
    github.before = ({ method, path }) => {
      if (method === 'PATCH') writes += 1;
      if (method === 'GET' && path.endsWith('/comments')) reads += 1;
      if (reads === 2) github.comments[0].body = newest;
      return null;
    };
    assert.match((await comment(later(worse, 2))).stdout, /a newer comparison/);
    assert.deepEqual([writes, github.comments[0].body], [0, newest]);
  });

  test('a comment that is not listed yet is not made twice', async () => {
    const { github, comment } = await pullRequest();
    github.before = ({ method, path }) =>
      method === 'GET' && path.endsWith('/comments') ? { status: 200, body: [] } : null;
    assert.match((await comment(worse)).stdout, /^comment created: https/);
    assert.equal(github.comments.length, 1);
  });

  test('a comment that is deleted meanwhile is made anew', async () => {
    const { github, comment } = await pullRequest();
    await comment(worse);
    github.before = ({ method }) => {
      if (method === 'PATCH') github.comments.length = 0;
      return null;
    };
    assert.match((await comment(later(pass, 2))).stdout, /^comment created/);
    assert.match(github.comments[0].body, /^### ✓/);
  });

  test('the token of another app finds its own comment by what it writes', async () => {
    const { github, comment } = await pullRequest({ token: 'app' });
    await comment(worse);
    await comment(later(pass, 1));
    assert.deepEqual(
      github.comments.map(({ id, user }) => [id, user.login]),
      [[101, 'acme-app[bot]']],
    );
    assert.match(github.comments[0].body, /^### ✓[\s\S]*Earlier on this pull request: 1\*\*/);
  });

  test('a commit that is not the newest any more changes nothing, nor does an older comparison', async () => {
    const { github, comment } = await pullRequest();
    await comment(later(worse, 5));
    const [{ body }] = github.comments;
    const outdated = await comment(later(pass, 9), ['--head', heads.old, '--check', 'bench']);
    assert.equal(outdated.code, 0);
    assert.match(
      outdated.stdout,
      /^nothing is changed: the pull request is at aaaaaaaaaa by now, not at bbbbbbbbbb\n$/,
    );
    assert.match((await comment(later(pass, 1))).stdout, /^nothing is changed: a newer comparison/);
    assert.equal(github.comments[0].body, body);
    assert.deepEqual(github.checkRuns, []);
  });

  test('a change that touches no benchmark is no new comment, and takes back what was posted', async () => {
    const { github, comment } = await pullRequest();
    assert.match((await comment(untouched)).stdout, /^nothing is changed: there was nothing to measure/);
    assert.equal(github.comments.length, 0);
    await comment(worse);
    assert.match((await comment(later(untouched, 1))).stdout, /^comment updated/);
    assert.match(github.comments[0].body, /^### – Nothing was measured, for the change [\s\S]*\*\*Gone since/);
  });
});
