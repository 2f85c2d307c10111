import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, truncateSync, writeFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { main } from '../src/cli.js';
import { resultsIn } from '../src/github/marker.js';
import { benchfolio } from './cli.js';
import { comparisonOf, situations } from './comparisons.js';
import { addComment, githubServer, heads, refused } from './github-server.js';
import { newSuite } from './runs.js';

const marker = 'benchfolio . default';
const worse = await comparisonOf(situations.worse);
const pass = await comparisonOf(situations.pass);
const unclear = await comparisonOf(situations.unclear);

/** Servers of this file. @type {Awaited<ReturnType<typeof githubServer>>[]} */
const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));

/** The command within this process. @param {string[]} args @param {{ cwd: string, env: Record<string, string> }} where */
async function cli(args, where) {
  const said = { stdout: '', stderr: '' };
  const stream = (/** @type {'stdout' | 'stderr'} */ name) =>
    new Writable({ write: (chunk, _, done) => { said[name] += chunk; done(); } });
  const code = await main(args, { ...where, stdin: process.stdin, stdout: stream('stdout'), stderr: stream('stderr') });
  return { code, ...said };
}

/** A suite with the spec of the comparisons, an event, and a server. @param {{ event?: any, token?: string }} [given] */
async function pullRequest({ event, token = 'workflow' } = {}) {
  const github = await githubServer();
  servers.push(github);
  const cwd = newSuite();
  mkdirSync(join(cwd, 'specs', 'shop'), { recursive: true });
  writeFileSync(join(cwd, 'specs', 'shop', 'spec.toml'), spec);
  writeFileSync(join(cwd, 'event.json'), JSON.stringify(event ?? {
    pull_request: { number: 7, head: { sha: heads.current } }, repository: { id: 1 },
  }));
  const env = {
    GITHUB_TOKEN: token, GITHUB_API_URL: github.url, GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_EVENT_PATH: join(cwd, 'event.json'), GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
  };
  const where = { cwd, env };
  const fileOf = (/** @type {any} */ comparison) => {
    const file = join(cwd, `${comparison.verdict}-${comparison.time.replace(/\D/g, '')}.json`);
    writeFileSync(file, JSON.stringify(comparison));
    return file;
  };
  /** @param {any} comparison @param {string[]} [args] */
  const comment = (comparison, args = []) => cli(['comment', fileOf(comparison), ...args], where);
  const summary = () => readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8');
  return { github, where, cwd, fileOf, comment, summary };
}

const spec = `title = "Shop"
[environments.single]
url = "http://127.0.0.1:1"
[scenarios.search]
executor = "constant-vus"
[scenarios.search.thresholds]
memory_bytes = "max<300e6"
http_req_duration = [
  "p(50)<50",
  { expr = "p(95)<100" },
]
`;

const later = (/** @type {any} */ comparison, /** @type {number} */ minutes) =>
  ({ ...comparison, time: `2026-11-21T13:${String(minutes).padStart(2, '0')}:00.000Z` });

/** The event of a run that a fork's pull request started. @param {any} [run] */
const workflowRun = (run) => ({
  repository: { id: 1 },
  workflow_run: {
    event: 'pull_request', head_sha: heads.current, head_branch: 'faster', pull_requests: [],
    head_repository: { full_name: 'bob/shop', owner: { login: 'bob' } }, ...run,
  },
});

describe('comment', { concurrency: 4 }, () => {
  test('created once, updated after; the summary has it each time; the exit code is 0', async () => {
    const { github, comment, summary } = await pullRequest();
    const first = await comment(worse);
    assert.deepEqual([first.code, first.stderr], [0, '']);
    assert.match(first.stdout, /^comment created: https:\S+#issuecomment-101\n$/);
    assert.match(github.comments[0].body, /^### Fail: /);
    assert.match(summary(), /^### Fail: /);
    const second = await comment(later(pass, 1));
    assert.match(second.stdout, /^comment updated: /);
    assert.equal(github.comments.length, 1);
    assert.match(github.comments[0].body, /^### Pass: [^]*\*\*Gone since aaaaaaaaaa\*\*[^]*Earlier on this pull request: 1</);
    const third = await comment(later(pass, 1));
    assert.match(third.stdout, /^comment kept: /);
    assert.equal((await comment(later(worse, 2), ['--exit-code'])).code, 1);
  });

  test('a comment a key, and a user\'s token', async () => {
    const { github, comment } = await pullRequest({ token: 'ann' });
    await comment(worse);
    await comment(worse, ['--key', 'nightly']);
    await comment(later(pass, 1), ['--key', 'nightly']);
    assert.deepEqual(github.comments.map(({ user, body }) => [user.login, /^### \w+( \(nightly\))?/.exec(body)?.[0]]), [
      ['ann', '### Fail'], ['ann', '### Pass (nightly)'],
    ]);
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
    assert.match(github.comments[121].body, /^### Pass/);
  });

  test('our marker inside of a comment of ours is no marker: only the last line is', async () => {
    const { github, comment } = await pullRequest();
    addComment(github, 'github-actions[bot]', `<!-- ${marker} W10= -->\nwritten by another action`);
    await comment(pass);
    assert.equal(github.comments.length, 2);
    assert.match(github.comments[0].body, /another action/);
  });

  test('ten processes at once leave one comment, with the newest comparison', async () => {
    const { github, where, fileOf } = await pullRequest();
    github.delay_ms = 30;
    const files = Array.from({ length: 10 }, (_, i) => fileOf(later(i % 2 ? pass : worse, i)));
    const done = await Promise.all(files.map((file) => benchfolio(['comment', file], where)));
    assert.deepEqual(done.map(({ code, stderr }) => [code, stderr]), Array(10).fill([0, '']));
    assert.equal(github.comments.length, 1);
    assert.equal(resultsIn(github.comments[0].body, marker)?.[0].time, '2026-11-21T13:09:00.000Z');
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
    assert.match(github.comments[0].body, /^### Pass/);
  });

  test('a comment that is not listed yet is not made twice', async () => {
    const { github, comment } = await pullRequest();
    github.before = ({ method, path }) => (method === 'GET' && path.endsWith('/comments') ? { status: 200, body: [] } : null);
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
    assert.match(github.comments[0].body, /^### Pass/);
  });

  test('the token of another app finds its own comment by what it writes', async () => {
    const { github, comment } = await pullRequest({ token: 'app' });
    await comment(worse);
    await comment(later(pass, 1));
    assert.deepEqual(github.comments.map(({ id, user }) => [id, user.login]), [[101, 'acme-app[bot]']]);
    assert.match(github.comments[0].body, /^### Pass[^]*Earlier on this pull request: 1</);
  });

  test('a commit that is not the newest any more changes nothing, nor does an older comparison', async () => {
    const { github, comment } = await pullRequest();
    await comment(later(worse, 5));
    const [{ body }] = github.comments;
    const outdated = await comment(later(pass, 9), ['--head', heads.old, '--check', 'bench']);
    assert.equal(outdated.code, 0);
    assert.match(outdated.stdout, /^nothing is changed: the pull request is at aaaaaaaaaa by now, not at bbbbbbbbbb\n$/);
    assert.match((await comment(later(pass, 1))).stdout, /^nothing is changed: a newer comparison/);
    assert.equal(github.comments[0].body, body);
    assert.deepEqual(github.checkRuns, []);
  });

  test('a token that may only read: the text is in the log and the summary, and the exit code is the same', async () => {
    const { github, comment, summary } = await pullRequest();
    github.before = ({ method }) => (method === 'GET' ? null : refused);
    const { code, stdout, stderr } = await comment(worse, ['--check', 'bench']);
    assert.equal(code, 0);
    assert.match(stdout, /^### Fail: [^]*\nno check: this token may write neither/);
    assert.match(stderr, /^no comment: this token may not write it\. GitHub answered 403, Resource not accessible by inte/);
    assert.match(stderr, /; its text is in the summary of the job and here\n$/);
    assert.match(summary(), /^### Fail: /);
    assert.equal((await comment(worse, ['--exit-code'])).code, 1);
  });

  test('what GitHub asks to wait for is waited for, and what fails on its side is tried again', async () => {
    const { github, comment } = await pullRequest();
    const answers = [
      { status: 429, headers: { 'retry-after': '1' }, body: { message: 'Too many requests' } },
      { status: 502, body: { message: 'Bad gateway' } },
      { status: 403, headers: { 'retry-after': '0' }, body: { message: 'You have exceeded a secondary rate limit' } },
    ];
    github.before = ({ method }) => (method === 'POST' ? answers.shift() : null);
    const { code, stderr } = await comment(worse);
    assert.equal(code, 0);
    assert.equal(github.comments.length, 1);
    assert.deepEqual(stderr.match(/answered \d+|again in .*/g), [
      'answered 429', 'again in 1 s', 'answered 502', 'again in 2 s', 'answered 403', 'again in 0 s',
    ]);
  });

  test('GitHub does not take it: the text is not lost, the reason is said, the code is 4, the token is nowhere', async () => {
    const { github, comment, summary } = await pullRequest();
    github.before = ({ method }) => (method === 'POST' ? { status: 422, body: { message: 'Validation Failed' } } : null);
    const { code, stdout, stderr } = await comment(worse);
    assert.equal(code, 4);
    assert.match(stdout, /^### Fail: /);
    assert.match(stderr, /benchfolio: it could not be told: GitHub answered 422, Validation Failed\n/);
    const limited = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 3000) };
    github.before = () => ({ status: 403, headers: limited, body: { message: 'API rate limit exceeded' } });
    assert.equal((await comment(worse)).code, 4, 'an hour is not waited for');
    const { comment: strange } = await pullRequest({ token: 'ghp_secret' });
    const denied = await strange(worse);
    assert.match(denied.stderr, /401, Bad credentials\nIs the token in GITHUB_TOKEN still good\?/);
    assert.doesNotMatch(denied.stderr + denied.stdout + summary(), /ghp_secret/);
  });

  test('a check run: begun, then completed, with the thresholds that were missed on their lines', async () => {
    const { github, where, comment } = await pullRequest();
    github.checkRuns.push({ id: 1, name: 'bench', status: 'in_progress', external_id: 'a job of that name' });
    const begun = await cli(['comment', '--check', 'bench', '--begin'], where);
    assert.deepEqual([begun.code, begun.stderr], [0, '']);
    const run = github.checkRuns[1];
    assert.deepEqual([run.status, run.head_sha, run.name], ['in_progress', heads.current, 'bench']);
    const { stdout } = await comment(worse, ['--check', 'bench', '--site', 'https://bench.example/']);
    assert.match(stdout, /check bench: failure, https/);
    assert.equal(github.checkRuns.length, 2);
    assert.deepEqual([run.status, run.conclusion, run.details_url], ['completed', 'failure', 'https://bench.example/']);
    assert.match(run.output.title, /^Fail: 3 of 4 cases\. shop single order/);
    assert.match(run.output.summary, /^### Fail/);
    assert.deepEqual(run.annotations, [{
      path: 'specs/shop/spec.toml', start_line: 10, end_line: 10, annotation_level: 'failure', title: 'Threshold missed',
      message: 'single search: http_req_duration p(95)<100, observed 123.5',
    }]);
    assert.match((await comment(later(pass, 1), ['--check', 'bench'])).stdout, /check bench: success/);
  });

  test('a check that was begun fails when there is no comparison in the end', async () => {
    const { github, where } = await pullRequest();
    await cli(['comment', '--check', 'bench', '--begin'], where);
    const { code, stdout, stderr } = await cli(['comment', '--check', 'bench', '--missing', 'npm could not be reached.'], where);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /check bench: failure, https/);
    const [run, ...others] = github.checkRuns;
    assert.deepEqual([run.status, run.conclusion, run.output.title, run.output.summary, others.length],
      ['completed', 'failure', 'There is no comparison', 'npm could not be reached.', 0]);
    assert.deepEqual(github.comments, []);
  });

  test('where check runs are not allowed it is a commit status, and unclear is never green there', async () => {
    const { github, comment } = await pullRequest({ token: 'ann' });
    await comment(worse, ['--check', 'bench']);
    await comment(later(unclear, 1), ['--check', 'bench']);
    const statuses = github.statuses.map(({ state, context }) => [state, context]);
    assert.deepEqual(statuses, [['failure', 'bench'], ['error', 'bench']]);
  });

  test('more than fifty annotations go in batches', async () => {
    const { github, cwd, comment } = await pullRequest();
    const names = Array.from({ length: 120 }, (_, i) => `s${i}`);
    writeFileSync(join(cwd, 'specs', 'shop', 'spec.toml'), names.map((name) =>
      `[scenarios.${name}.thresholds]\nhttp_req_duration = "p(95)<100"\n`).join(''));
    const [one] = worse.cases.filter((/** @type {any} */ { case: name }) => name === 'search');
    const cases = names.map((name) => ({ ...one, case: name, scenario: name }));
    await comment({ ...worse, cases }, ['--check', 'bench']);
    const lines = github.checkRuns[0].annotations.map((/** @type {any} */ { start_line }) => start_line);
    assert.deepEqual(lines, names.map((_, i) => 2 * i + 2));
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
    const pull_requests = [{ number: 3, base: { repo: { id: 55 } } }, { number: 7, base: { repo: { id: 1 } } }];
    const { comment } = await pullRequest({ event: workflowRun({ pull_requests }) });
    assert.match((await comment(worse)).stdout, /^comment created/);
  });

  test('no pull request in the event: the text is in the summary and the log, the check is made', async () => {
    const { github, comment, summary } = await pullRequest({ event: { after: heads.current } });
    const { code, stdout, stderr } = await comment(worse, ['--check', 'bench']);
    assert.equal(code, 0);
    assert.match(stderr, /^no comment: there is no open pull request of this commit/);
    assert.match(stdout, /^### Fail[^]*check bench: failure/);
    assert.match(summary(), /^### Fail/);
    assert.equal(github.checkRuns[0].head_sha, heads.current);
  });

  test('a hostile comparison is refused with a reason, and nothing is sent', async () => {
    const { github, where, cwd } = await pullRequest();
    const file = join(cwd, 'comparison.json');
    const refusal = async (/** @type {string} */ text) => {
      writeFileSync(file, text);
      const { code, stderr } = await cli(['comment', file], where);
      assert.equal(code, 2, stderr);
      return stderr;
    };
    const changed = (/** @type {any} */ change) => JSON.stringify({ ...worse, ...change });
    assert.match(await refusal(changed({ pull: 1 })), /is no comparison: it must NOT have additional properties \(pull\)/);
    assert.match(await refusal(changed({ 'x\n::error::y': 1 })), /properties \(x ::error::y\)\n/);
    assert.match(await refusal(changed({ schema: 2 })), /is no comparison: \/schema must be equal to constant/);
    const withRatio = (/** @type {string} */ ratio) => JSON.stringify(worse).replace(/"ratio":[\d.]+/, `"ratio":${ratio}`);
    assert.match(await refusal(withRatio('NaN')), /is truncated or damaged/);
    assert.match(await refusal(withRatio('1e999')), /is no comparison: .*ratio must be/);
    assert.match(await refusal(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), /it is nested more than 32 deep/);
    const deep = `{"a":`.repeat(40) + '1' + '}'.repeat(40);
    assert.match(await refusal(JSON.stringify(worse).replace('"values":{}', `"values":${deep}`)), /nested more than 32 deep/);
    truncateSync(file, 100 * 2 ** 20);
    const large = await cli(['comment', file], where);
    assert.match(large.stderr, /is no comparison: 100 MB, at most 32 MB are read/);
    assert.match((await cli(['comment', cwd], where)).stderr, /is not a file/);
    assert.deepEqual(github.seen, []);
  });

  test('a system or a record outside of the suite is not looked at', async () => {
    const { github, comment } = await pullRequest();
    const cases = worse.cases.map((/** @type {any} */ one) =>
      ({ ...one, system: '../../etc', record: '../../../etc/passwd' }));
    const { code, stderr } = await comment({ ...worse, cases }, ['--check', 'bench']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(github.checkRuns[0].annotations, []);
    assert.doesNotMatch(github.comments[0].body, /Measured on/);
  });

  test('--dry-run and --format only print, and need no token', async () => {
    const { github, where, cwd, comment } = await pullRequest({ token: '' });
    assert.match((await comment(worse, ['--dry-run'])).stdout, /^### Fail/);
    const json = JSON.parse((await comment(worse, ['--format', 'json'])).stdout);
    assert.deepEqual([json.verdict, json.exit, json.conclusion, json.annotations.length], ['fail', 1, 'failure', 1]);
    assert.match((await comment(worse, ['--format', 'junit'])).stdout, /^<\?xml/);
    assert.deepEqual(github.seen, []);
    const run = join(cwd, '.bench', 'runs', '20261121T120000Z-1');
    mkdirSync(run, { recursive: true });
    const none = await cli(['comment', '--dry-run'], where);
    assert.match(none.stderr, /the last run 20261121T120000Z-1 has no comparison\.json/);
    writeFileSync(join(run, 'comparison.json'), JSON.stringify(pass));
    assert.match((await cli(['comment', '--dry-run'], where)).stdout, /^### Pass/);
  });

  test('a comparison that contradicts itself, or is of another time, is refused; a unit is data', async () => {
    const { cwd, where, fileOf } = await pullRequest();
    const said = async (/** @type {any} */ comparison) => {
      const { code, stdout, stderr } = await cli(['comment', '--dry-run', fileOf(comparison)], where);
      return code === 0 ? stdout : `${code} ${stderr}`;
    };
    assert.match(await said({ ...worse, verdict: 'pass', exit: 0 }), /^2 .*its verdict is pass, and that of its cases fail\n/);
    assert.match(await said({ ...worse, exit: 0 }), /^2 .*its exit code is not that of its verdict\n/);
    const passing = worse.cases.map((/** @type {any} */ one) => ({ ...one, verdict: 'pass' }));
    assert.match(await said({ ...worse, cases: passing, verdict: 'pass', exit: 0 }), /^2 .*a case passes, though a (threshold was missed|gated metric is worse)\n/);
    assert.match(await said({ ...pass, time: '9999-01-01T00:00:00.000Z' }), /^2 .*its time is in the future\n/);
    assert.match(await said({ ...pass, time: 'yesterday' }), /^2 .*its time is none\n/);
    const unit = 'ms\n::error::x\n\n# Approved @maintainer ![t](https://evil.example/t.png)\n<details>';
    const cases = worse.cases.map((/** @type {any} */ one) => ({ ...one, metrics: one.metrics.map((/** @type {any} */ row) => ({ ...row, unit })) }));
    const text = await said({ ...worse, cases });
    assert.doesNotMatch(text, /^(::|# )|@maintainer|!\[t\]|https:\/\/evil|<details>(?!<summary>)/m);
    assert.ok(text.length > 1000, text);
    symlinkSync('/etc/hostname', join(cwd, 'link.json'));
    assert.match((await cli(['comment', '--dry-run', 'link.json'], where)).stderr, /link\.json is not a file/);
  });

  test('a check that was begun ends, also for a commit that is not the newest any more; a change that touches no benchmark is no comment', async () => {
    const { github, where, comment } = await pullRequest();
    await cli(['comment', '--check', 'bench', '--begin'], where);
    await comment({ ...pass, cases: [], verdict: 'inconclusive', exit: 3 }, ['--check', 'bench']);
    assert.deepEqual(github.comments.length, 0);
    assert.deepEqual(github.checkRuns.map(({ status, conclusion }) => [status, conclusion]), [['completed', 'neutral']]);
    await comment(worse);
    const { stdout } = await comment(later({ ...pass, cases: [], verdict: 'inconclusive', exit: 3 }, 1));
    assert.match(stdout, /comment updated/);
    assert.match(github.comments[0].body, /^### Nothing measured: [^]*\*\*Gone since/);
  });

  test('wrong usage is 2, and says what to do', async () => {
    const { where, cwd, fileOf } = await pullRequest();
    /** @param {string[]} args @param {Record<string, string>} [other] */
    const said = async (args, other = {}) => {
      const { code, stderr } = await cli(['comment', ...args], { cwd, env: { ...where.env, ...other } });
      assert.equal(code, 2, stderr);
      return stderr;
    };
    assert.match(await said([]), /nothing has been run here yet\nMeasure first/);
    assert.match(await said(['gone.json']), /there is no comparison \S+gone\.json/);
    assert.match(await said(['--begin']), /--begin is for a check: --check <name>/);
    assert.match(await said(['--missing', 'x']), /--missing is for a check: --check <name>/);
    assert.match(await said(['--site', 'javascript:alert(1)']), /must begin with https/);
    assert.match(await said(['--head', 'main']), /must be the 40 digits of a commit/);
    assert.match(await said(['--key', 'a b']), /must be letters, digits/);
    const file = fileOf(pass);
    assert.match(await said([file], { GITHUB_TOKEN: '', GH_TOKEN: '' }), /there is no token for GitHub\nSet GITHUB_TOKEN/);
    assert.match(await said([file], { GITHUB_REPOSITORY: '' }), /which repository\?/);
    assert.match(await said([file], { GITHUB_EVENT_PATH: join(cwd, 'none.json') }), /cannot read the event in/);
  });
});
