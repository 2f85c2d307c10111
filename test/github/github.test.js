import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { annotationsOf } from '../../dist/forge/annotations.js';
import { conclusionOf } from '../../dist/forge/github/check-run.js';
import { isRefused } from '../../dist/forge/github/github-errors.js';
import { addToSummary } from '../../dist/forge/github/job-summary.js';
import { targetOf } from '../../dist/forge/github/target.js';
import { markerOf, resultsIn } from '../../dist/forge/marker.js';
import { tryThreshold } from '../../dist/suite/cases/thresholds.js';
import { folderOf } from '../support/cli.js';

test('a token that may not, a missing page and a limit of requests are told apart', () => {
  const refused = (/** @type {number} */ status, headers = {}, message = '') =>
    isRefused({ status, message, response: { headers } });
  assert.ok(refused(403, { 'x-ratelimit-remaining': '4000' }, 'Resource not accessible by integration'));
  assert.ok(refused(404));
  assert.ok(!refused(403, { 'x-ratelimit-remaining': '0' }));
  assert.ok(!refused(403, {}, 'You have exceeded a secondary rate limit.'));
  assert.ok(!refused(422));
  assert.ok(!isRefused({ status: 500, message: 'fetch failed' }), 'no answer at all');
});

test('a marker: one a suite and key; only the last line counts, a damaged one is ours still', () => {
  const marker = markerOf({ suite: 'tools/a -->b', key: 'nightly' });
  assert.equal(marker, 'benchfolio tools%2Fa%20--%3Eb nightly');
  const results = [{ head: null, problems: [{ case: 'a', what: 'b' }], text: 'Ü', time: 't', verdict: 'pass' }];
  const carried = (/** @type {unknown} */ value) => Buffer.from(JSON.stringify(value)).toString('base64');
  const line = `<!-- ${marker} ${carried(results)} -->`;
  assert.deepEqual(resultsIn(`text\r\n\r\n${line}\r\n`, marker), results);
  assert.equal(resultsIn(`${line}\n\ntext`, marker), null);
  assert.equal(resultsIn(line, markerOf({ suite: '', key: 'nightly' })), null);
  assert.equal(resultsIn('', marker), null);
  for (const damaged of ['', '%%%', carried({}), carried([1]), carried([{ ...results[0], problems: [1] }])]) {
    assert.deepEqual(resultsIn(`<!-- ${marker} ${damaged} -->`, marker), []);
  }
});

test('what a check concludes follows from the exit code', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((exit) => conclusionOf(exit)),
    ['success', 'failure', 'failure', 'neutral', 'failure'],
  );
});

test('the repository, the commit and the pull request: options before the event', async () => {
  const folder = await folderOf({
    'event.json': JSON.stringify({ pull_request: { number: 7, head: { sha: 'a'.repeat(40) } } }),
  });
  const env = { GITHUB_REPOSITORY: 'acme/shop', GITHUB_EVENT_PATH: join(folder, 'event.json') };
  const repository = { owner: 'acme', repo: 'shop' };
  assert.deepEqual(targetOf({}, env), {
    repository,
    head: 'a'.repeat(40),
    pulls: [7],
    from: null,
    started: null,
    named: false,
  });
  assert.deepEqual(targetOf({ repository: 'x/y', pull: 8, head: 'b' }, env), {
    repository: { owner: 'x', repo: 'y' },
    head: 'b',
    pulls: [8],
    from: null,
    started: null,
    named: true,
  });
  assert.deepEqual(targetOf({}, { GITHUB_REPOSITORY: 'acme/shop' }), {
    repository,
    head: null,
    pulls: [],
    from: null,
    started: null,
    named: false,
  });
  const odd = await folderOf({
    'null.json': 'null',
    'odd.json': '{"pull_request":{"number":"7","head":{"sha":5}}}',
    'none.json': '{"pull_request":null}',
  });
  for (const name of ['null.json', 'odd.json', 'none.json']) {
    assert.deepEqual(targetOf({}, { ...env, GITHUB_EVENT_PATH: join(odd, name) }), {
      repository,
      head: null,
      pulls: [],
      from: null,
      started: null,
      named: false,
    });
  }
});

test('a run that no pull request started has none', async () => {
  const head_repository = { full_name: 'acme/shop', owner: { login: 'acme' } };
  const run = { event: 'push', head_sha: 'a', head_branch: 'main', pull_requests: [], head_repository };
  const folder = await folderOf({ 'event.json': JSON.stringify({ workflow_run: run, repository: { id: 1 } }) });
  const { from, pulls } = targetOf(
    {},
    { GITHUB_REPOSITORY: 'acme/shop', GITHUB_EVENT_PATH: join(folder, 'event.json') },
  );
  assert.deepEqual([from, pulls], [null, []]);
});

test("the job's summary has room for 1 MiB", async () => {
  const folder = await folderOf({ 'summary.md': '' });
  const file = join(folder, 'summary.md');
  assert.equal(addToSummary('text', {}), false);
  assert.equal(addToSummary('text', { GITHUB_STEP_SUMMARY: file }), true);
  writeFileSync(file, 'x'.repeat(2 ** 20 - 3));
  assert.equal(addToSummary('text', { GITHUB_STEP_SUMMARY: file }), false);
});

test('a remark stands on the line of its expression, else of its key, else of its scenario', async () => {
  const root = await folderOf({
    '.git/HEAD': '',
    'bench/bench.toml': '',
    'bench/specs/shop/spec.toml': `[scenarios.a]
executor = "constant-vus"
[scenarios.a.thresholds]
"http_req_duration{ name:GET / }" = ["p(95) < 100", "p(99)<200"]
memory_bytes = "max<\${limit}"
[scenarios.b.thresholds]
iterations = [
  { expr = "count>1", level = "warn" },
]
`,
  });
  /** @param {string} scenario @param {any} threshold */
  const placed = (scenario, threshold) => {
    const missed = {
      selector: {},
      level: 'fail',
      outcome: 'missed',
      observed: 1,
      ...tryThreshold(threshold.expr),
      ...threshold,
    };
    const one = { system: 'shop', environment: 'single', case: scenario, scenario, thresholds: [missed] };
    const [{ path, start_line, annotation_level }] = annotationsOf(/** @type {any} */ ({ cases: [one] }), {
      root: join(root, 'bench'),
    });
    assert.equal(path, 'bench/specs/shop/spec.toml');
    return [start_line, annotation_level];
  };
  assert.deepEqual(placed('a', { metric: 'http_req_duration', selector: { name: 'GET /' }, expr: 'p(99) < 2e2' }), [
    4,
    'failure',
  ]);
  assert.deepEqual(placed('a', { metric: 'memory_bytes', expr: 'max<5' }), [5, 'failure']);
  assert.deepEqual(placed('b', { metric: 'iterations', expr: 'count>1', level: 'warn' }), [8, 'warning']);
  assert.deepEqual(placed('a', { metric: 'errors_ratio', expr: 'value<=0.01', implicit: true }), [1, 'failure']);
});
