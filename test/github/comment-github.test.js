// What GitHub answers, and which pull request is meant.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { heads, refused } from '../support/github-server.js';
import { later, pass, pullRequest, workflowRun, worse } from '../support/pull-request.js';

describe('a comment and GitHub', { concurrency: 4 }, () => {
  test('a token that may only read: the text is in the log and the summary, and the exit code is the same', async () => {
    const { github, comment, summary } = await pullRequest();
    github.before = ({ method }) => (method === 'GET' ? null : refused);
    const { code, stdout, stderr } = await comment(worse, ['--check', 'bench']);
    assert.equal(code, 0);
    assert.match(stdout, /^### ✕ [\s\S]*\nno check: this token may write neither/);
    assert.match(
      stderr,
      /^no comment: this token may not write it\. GitHub answered 403, Resource not accessible by inte/,
    );
    assert.match(stderr, /; its text is in the summary of the job and here\n$/);
    assert.match(summary(), /^### ✕ /);
    assert.equal((await comment(worse, ['--exit-code'])).code, 1);
  });

  test('what GitHub asks to wait for is waited for, and what fails on its side is tried again', async () => {
    const { github, comment } = await pullRequest();
    const answers = [
      { status: 429, headers: { 'retry-after': '2' }, body: { message: 'You have exceeded a secondary rate limit' } },
      { status: 502, body: { message: 'Bad gateway' } },
      { status: 403, headers: { 'retry-after': '1' }, body: { message: 'You have exceeded a secondary rate limit' } },
    ];
    github.before = ({ method }) => (method === 'POST' ? answers.shift() : null);
    const { code, stderr } = await comment(worse);
    assert.equal(code, 0);
    assert.equal(github.comments.length, 1);
    assert.deepEqual(stderr.match(/.*asking again.*/g), [
      'GitHub limits requests; asking again in 2 s',
      'GitHub answered 502, Bad gateway; asking again',
      'GitHub limits requests; asking again in 1 s',
    ]);
  });

  test('GitHub does not take it: the text is not lost, the reason is said, the code is 4, the token is nowhere', async () => {
    const { github, comment, summary } = await pullRequest();
    github.before = ({ method }) =>
      method === 'POST' ? { status: 422, body: { message: 'Validation Failed' } } : null;
    const { code, stdout, stderr } = await comment(worse);
    assert.equal(code, 4);
    assert.match(stdout, /^### ✕ /);
    assert.match(stderr, /benchfolio: it could not be posted: GitHub answered 422, Validation Failed\n/);
    const limited = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 3000) };
    github.before = () => ({ status: 403, headers: limited, body: { message: 'API rate limit exceeded' } });
    assert.equal((await comment(worse)).code, 4, 'an hour is not waited for');
    const { comment: strange } = await pullRequest({ token: 'ghp_secret' });
    const denied = await strange(worse);
    assert.match(denied.stderr, /401, Bad credentials\nIs the token in GITHUB_TOKEN still good\?/);
    assert.doesNotMatch(denied.stderr + denied.stdout + summary(), /ghp_secret/);
  });

  test('of a fork: the pull request is found by where the commit comes from, never by the artifact', async () => {
    const { github, comment } = await pullRequest({ event: workflowRun() });
    const none = await comment(worse);
    assert.match(none.stderr, /^no comment: there is no open pull request of this commit/);
    github.pulls[0].head.repo = { id: 2, full_name: 'bob/shop', owner: { login: 'bob' } };
    assert.match((await comment(worse)).stdout, /^comment created/);
    github.pulls[0].head.sha = heads.old;
    assert.match((await comment(later(pass, 1))).stdout, /^nothing is changed: the pull request is at bbbbbbbbbb/);
    github.pulls[0].head.sha = heads.current;
    github.pulls.push({ ...github.pulls[0], number: 8 });
    const several = /^no comment: 2 open pull requests have this commit \(#7, #8\): --pull names one/;
    assert.match((await comment(later(pass, 1))).stderr, several);
    assert.match((await comment(later(pass, 1), ['--pull', '7'])).stdout, /^comment updated/);
  });

  test('of our own branch: the event names the pull request', async () => {
    const pull_requests = [
      { number: 3, base: { repo: { id: 55 } } },
      { number: 7, base: { repo: { id: 1 } } },
    ];
    const { comment } = await pullRequest({ event: workflowRun({ pull_requests }) });
    assert.match((await comment(worse)).stdout, /^comment created/);
  });

  test('no pull request in the event: the text is in the summary and the log, the check is made', async () => {
    const { github, comment, summary } = await pullRequest({ event: { after: heads.current } });
    const { code, stdout, stderr } = await comment(worse, ['--check', 'bench']);
    assert.equal(code, 0);
    assert.match(stderr, /^no comment: there is no open pull request of this commit/);
    assert.match(stdout, /^### ✕ [\s\S]*check bench: failure/);
    assert.match(summary(), /^### ✕ /);
    assert.equal(github.checkRuns[0].head_sha, heads.current);
  });
});
