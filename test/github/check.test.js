// The check beside the comment: its state, and its remarks on lines.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { mainIn } from '../support/cli.js';
import { comparisonOf, situations } from '../support/comparisons.js';
import { heads } from '../support/github-server.js';
import { later, pass, pullRequest, untouched, worse } from '../support/pull-request.js';

const unclear = await comparisonOf(situations.unclear);

describe('the check of a comment', { concurrency: 4 }, () => {
  test('a check run: begun, then completed, with the thresholds that were missed on their lines', async () => {
    const { github, where, comment } = await pullRequest();
    github.checkRuns.push({ id: 1, name: 'bench', status: 'in_progress', external_id: 'a job of that name' });
    const begun = await mainIn(['comment', '--check', 'bench', '--begin'], where);
    assert.deepEqual([begun.code, begun.stderr], [0, '']);
    const run = github.checkRuns[1];
    assert.deepEqual([run.status, run.head_sha, run.name], ['in_progress', heads.current, 'bench']);
    const { stdout } = await comment(worse, ['--check', 'bench', '--site', 'https://bench.example/']);
    assert.match(stdout, /check bench: failure, https/);
    assert.equal(github.checkRuns.length, 2);
    assert.deepEqual([run.status, run.conclusion, run.details_url], ['completed', 'failure', 'https://bench.example/']);
    assert.match(run.output.title, /^Fail: latency p95 rose by 50\.1 %: 1\.58 → 2\.37 ms \[/);
    assert.match(run.output.summary, /^### ✕ /);
    assert.deepEqual(run.annotations, [
      {
        path: 'specs/shop/spec.toml',
        start_line: 10,
        end_line: 10,
        annotation_level: 'failure',
        title: 'Threshold missed',
        message: 'single search: http_req_duration p(95)<100: 123 ms',
      },
    ]);
    assert.match((await comment(later(pass, 1), ['--check', 'bench'])).stdout, /check bench: success/);
  });

  test('a check that was begun fails when there is no comparison in the end', async () => {
    const { github, where } = await pullRequest();
    await mainIn(['comment', '--check', 'bench', '--begin'], where);
    const { code, stdout, stderr } = await mainIn(
      ['comment', '--check', 'bench', '--missing', 'npm could not be reached.'],
      where,
    );
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /check bench: failure, https/);
    const [run, ...others] = github.checkRuns;
    assert.deepEqual(
      [run.status, run.conclusion, run.output.title, run.output.summary, others.length],
      ['completed', 'failure', 'There is no comparison', 'npm could not be reached.', 0],
    );
    assert.deepEqual(github.comments, []);
  });

  test('a check that was begun ends: of nothing to measure, and of a commit that is not the newest any more', async () => {
    const { github, where, comment } = await pullRequest();
    await mainIn(['comment', '--check', 'bench', '--begin'], where);
    await comment(untouched, ['--check', 'bench']);
    await mainIn(['comment', '--check', 'bench', '--begin', '--head', heads.old], where);
    assert.match(
      (await comment(worse, ['--check', 'bench', '--head', heads.old])).stdout,
      /^nothing is changed: the pull request is at/,
    );
    assert.deepEqual(
      github.checkRuns.map(({ head_sha, status, conclusion }) => [head_sha, status, conclusion]),
      [
        [heads.current, 'completed', 'neutral'],
        [heads.old, 'completed', 'failure'],
      ],
    );
    assert.deepEqual(github.comments, []);
  });

  test('an inconclusive result is a failure where somebody wants it so, and nothing to measure is not', async () => {
    const { github, comment } = await pullRequest();
    await comment(unclear, ['--check', 'bench']);
    await comment(later(unclear, 1), ['--check', 'bench', '--inconclusive', 'failure']);
    await comment(later(untouched, 2), ['--check', 'bench', '--inconclusive', 'failure']);
    assert.deepEqual(
      github.checkRuns.map(({ conclusion }) => conclusion),
      ['neutral', 'failure', 'neutral'],
    );
  });

  test('where check runs are not allowed it is a commit status, and unclear is never green there', async () => {
    const { github, comment } = await pullRequest({ token: 'ann' });
    await comment(worse, ['--check', 'bench']);
    await comment(later(unclear, 1), ['--check', 'bench']);
    const statuses = github.statuses.map(({ state, context }) => [state, context]);
    assert.deepEqual(statuses, [
      ['failure', 'bench'],
      ['error', 'bench'],
    ]);
  });

  test('more than fifty annotations go in batches', async () => {
    const { github, cwd, comment } = await pullRequest();
    const names = Array.from({ length: 120 }, (_, i) => `s${i}`);
    writeFileSync(
      join(cwd, 'specs', 'shop', 'spec.toml'),
      names.map((name) => `[scenarios.${name}.thresholds]\nhttp_req_duration = "p(95)<100"\n`).join(''),
    );
    const [one] = worse.cases.filter((/** @type {any} */ { case: name }) => name === 'search');
    const cases = names.map((name) => ({ ...one, case: name, scenario: name }));
    await comment({ ...worse, cases }, ['--check', 'bench']);
    const lines = github.checkRuns[0].annotations.map((/** @type {any} */ { start_line }) => start_line);
    assert.deepEqual(
      lines,
      names.map((_, i) => 2 * i + 2),
    );
  });

  test('two pull requests of one commit: what passes in one does not hide that it fails in the other', async () => {
    const commits = (/** @type {string} */ base) => ({ commits: { base: base.repeat(40), head: heads.current } });
    const own = { full_name: 'acme/shop', owner: { login: 'acme' }, id: 1 };
    const event = {
      workflow_run: {
        event: 'pull_request',
        head_sha: heads.current,
        head_branch: 'faster',
        head_repository: own,
        pull_requests: [7, 8].map((number) => ({ number, base: { repo: { id: 1 } } })),
      },
      repository: { id: 1 },
    };
    for (const other of [later(pass, 1), later(untouched, 1)]) {
      const { github, comment } = await pullRequest({ event });
      github.pulls.push({ ...github.pulls[0], number: 8, base: { ...github.pulls[0].base, ref: 'release' } });
      // "1" is on main, "2" on release
      github.compare = (from, to) =>
        /^(1|2)\1*$/.test(from) && ['main', 'release'].includes(to) && (from[0] === '1') !== (to === 'main')
          ? 'diverged'
          : 'ahead';
      assert.match((await comment({ ...worse, ...commits('1') }, ['--check', 'bench'])).stdout, /check bench: failure/);
      assert.match((await comment({ ...other, ...commits('2') }, ['--check', 'bench'])).stdout, /check bench: failure/);
      assert.match(github.checkRuns[1].output.title, /^Pull request #7, which has the same commit, fails$/);
      assert.match(
        (await comment({ ...later(pass, 2), ...commits('1') }, ['--check', 'bench'])).stdout,
        /check bench: success/,
      );
    }
  });

  test('a comparison with a base that is not that of its pull request is posted on none', async () => {
    const { github, comment } = await pullRequest();
    github.compare = (from) => (from.startsWith('d') ? 'diverged' : 'ahead');
    const other = { ...pass, commits: { base: 'd'.repeat(40), head: heads.current } };
    const { stdout, stderr } = await comment(other, ['--check', 'bench']);
    assert.match(stdout, /check bench: neutral/);
    assert.match(stderr, /the base that was measured, dddddddddd, is not that of #7/);
    assert.deepEqual(github.comments, []);
  });

  test('a comparison from the future is not newer than all that follow', async () => {
    const { github, comment } = await pullRequest();
    const soon = new Date(Date.now() + 3_000_000).toISOString();
    await comment({ ...pass, time: soon }, ['--check', 'bench']);
    assert.match(
      (await comment({ ...worse, time: new Date(Date.now() + 1000).toISOString() }, ['--check', 'bench'])).stdout,
      /comment updated/,
    );
    assert.equal(github.comments.length, 1);
  });

  test('a check that was begun ends, and is no success, where the pull request cannot be read', async () => {
    const { github, where, comment } = await pullRequest();
    await mainIn(['comment', '--check', 'bench', '--begin'], where);
    github.before = ({ path }) => (path.includes('/pulls/') ? { status: 422, body: { message: 'odd' } } : null);
    assert.equal((await comment(pass, ['--check', 'bench'])).code, 4);
    const [run] = github.checkRuns;
    assert.deepEqual([run.status, run.conclusion], ['completed', 'neutral']);
    assert.match(run.output.summary, /^The pull request could not be read: .*odd/);
  });
});
