// Runs the workflows of this repository as they are, on this machine, by nektos/act and without Docker:
//
//   node test/make/workflows.js
//
// Benchmark measures a sample pull request, Benchmark report posts it to a server that answers like GitHub, on this machine too
// (test/support/act.js).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { comparisonProblem } from '../../dist/records/records.js';
import { actIn, succeeded, workflowRun } from '../support/act.js';
import { root } from '../support/cli.js';
import { githubServer, heads } from '../support/github-server.js';

/** One case, short: whether the workflows work is asked, not how fast anything is. */
const options = '--quick --scenario hello --set rate=500 --blocks 2';

const scratch = mkdtempSync(join(tmpdir(), 'benchfolio-workflows-'));
const repository = join(scratch, 'repository');

/** @param {string[]} args */
const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], { cwd: repository });

/** The working tree as a repository of its own, with a commit that changes one system. */
function samplePullRequest() {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of listed.split('\0').filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(repository, file)), { recursive: true });
    cpSync(join(root, file), join(repository, file), { verbatimSymlinks: true });
  }
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', 'https://github.com/acme/shop.git');
  git('add', '--all');
  git('commit', '--quiet', '--message=base');
  appendFileSync(join(repository, 'specs', 'express', 'app', 'app.js'), '// changed\n');
  git('commit', '--quiet', '--all', '--message=head');
}

const github = await githubServer();
try {
  samplePullRequest();
  const { act, store } = await actIn({ scratch, repository });
  const report = async (/** @type {'requested' | 'completed'} */ action) => {
    const args = ['--env', `GITHUB_API_URL=${github.url}`, '--secret', 'GITHUB_TOKEN=workflow'];
    const ended = await act('benchmark-report', 'workflow_run', workflowRun(action, heads.current), args);
    return succeeded(ended, 'benchmark-report');
  };

  const checks = () =>
    github.checkRuns.map(({ name, status, conclusion, head_sha }) => [name, status, conclusion, head_sha]);
  await report('requested');
  assert.deepEqual(checks(), [['benchfolio', 'in_progress', undefined, heads.current]]);
  await report('completed'); // a run that broke before there was a comparison
  assert.deepEqual(checks(), [['benchfolio', 'completed', 'failure', heads.current]]);
  assert.equal(github.comments.length, 0);

  const args = ['--var', `BENCH_OPTIONS=${options}`];
  const measured = succeeded(
    await act('benchmark', 'pull_request', { pull_request: { number: 7 } }, args),
    'benchmark',
  );
  assert.match(measured, /set-output:: systems=express\n/);
  const artifact = join(store, 'benchfolio');
  const comparison = JSON.parse(readFileSync(join(artifact, 'comparison.json'), 'utf8'));
  assert.equal(comparisonProblem(comparison), null);
  assert.deepEqual(
    comparison.cases.map((/** @type {any} */ one) => [one.system, one.case]),
    [['express', 'hello,rate=500']],
  );
  assert.equal(
    readdirSync(artifact, { recursive: true }).filter((file) => String(file).endsWith('record.json')).length,
    2 * 4, // of each side: solo, under load, at saturation, with age
  );

  await report('completed');
  const [comment, ...more] = github.comments;
  assert.deepEqual([comment.user.login, more], ['github-actions[bot]', []]);
  assert.match(comment.body, /express.*https:\/\/github\.example\/runs\/1/s);
  const [, last, ...others] = checks();
  assert.deepEqual([last.filter((_, i) => i !== 2), others], [['benchfolio', 'completed', heads.current], []]);
  console.log('\nBenchmark measured, and Benchmark report posted it.');
} finally {
  await github.close();
  rmSync(scratch, { recursive: true, force: true });
}
