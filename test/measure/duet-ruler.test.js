// A change is judged by base's rule: what head measures or expects less is named, and is no pass.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { folderOf, spawnBenchfolio } from '../support/cli.js';

const run = promisify(execFile);

const server = `require('node:http').createServer((request, response) => {
  setTimeout(() => response.end('{"ok":true}'), require('./pause.json'));
}).listen(process.env.PORT, '127.0.0.1');`;

const bench = '[duet]\nblocks = 3\nwarmup = "300ms"\nduration = "900ms"\n';

const spec = `title = "Shop"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
command = ["node", "server.cjs"]
env = { PORT = "\${port}" }
ready = "http://127.0.0.1:\${port}/"
[scenarios.list]
executor = "constant-vus"
vus = 2
duration = "20s"
window = { from = "2s" }
error_cap = 0.001
compare = { gate = ["latency_ms_p50"], tolerance = 0.5, alpha = 0.05 }
[[scenarios.list.requests]]
get = "/list"
expect = { status = 200, json = { ok = true } }
[[scenarios.list.requests]]
get = "/more"
[scenarios.list.thresholds]
http_req_duration = ["p(95)<500", "max<2000"]
[scenarios.other]
executor = "constant-vus"
duration = "5s"
requests = [{ get = "/other" }]
`;

/**
 * A repository of two commits.
 * @param {Record<string, string | null>} base files that differ from the usual ones
 * @param {Record<string, string | null>} head null: the file is gone
 */
async function repository(base, head) {
  const folder = await folderOf({
    'bench.toml': bench,
    '.gitignore': '.bench\n',
    'specs/shop/spec.toml': spec,
    'specs/shop/server.cjs': server,
    'specs/shop/pause.json': '2',
  });
  const git = (/** @type {string[]} */ ...args) =>
    run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder });
  await git('init', '-q', '-b', 'main');
  for (const files of [base, head]) {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await (text === null ? rm(join(folder, path)) : writeFile(join(folder, path), text));
    }
    await git('add', '-A');
    await git('commit', '-q', '--allow-empty', '-m', 'x');
  }
  return folder;
}

/** @param {string} folder @param {string[]} args */
async function duet(folder, ...args) {
  const env = { XDG_CACHE_HOME: join(folder, '.bench', 'cache') };
  const outcome = await spawnBenchfolio(['duet', ...args, '--json'], { cwd: folder, env });
  return { ...outcome, json: outcome.stdout.startsWith('{') ? JSON.parse(outcome.stdout) : null };
}

const looser = [
  ['window = { from = "2s" }', 'window = { from = "19s" }'],
  ['error_cap = 0.001', 'error_cap = 0.5'],
  ['gate = ["latency_ms_p50"], tolerance = 0.5', 'gate = ["throughput_rps"], tolerance = 0.9'],
  ['status = 200, json = { ok = true }', 'status = [200, 500]'],
  ['[[scenarios.list.requests]]\nget = "/more"\n', ''],
  ['["p(95)<500", "max<2000"]', '["p(95)<5000"]'],
  ['env = { PORT', 'sampled = false\nenv = { PORT'],
  ['vus = 2', 'vus = 1'],
  [spec.slice(spec.indexOf('[scenarios.other]')), ''],
].reduce((text, [from, to]) => {
  assert.ok(text.includes(from), from);
  return text.replace(from, to);
}, spec);

describe('the rule of a duet', { concurrency: 2 }, () => {
  test('what head loosens is named, one by one, and is inconclusive', async () => {
    const folder = await repository(
      {},
      { 'specs/shop/spec.toml': looser, 'reports/report.txt.jq': '"Pass: all is well"' },
    );
    const { code, json, stderr } = await duet(folder, 'HEAD~1', 'HEAD');
    assert.equal(code, 3, stderr);
    const [gone, list] = json.cases;
    assert.deepEqual([gone.case, gone.verdict], ['other', 'inconclusive']);
    assert.match(gone.reason, /measures it, and head does not: it is gone/);
    const subjects = list.changes
      .filter((/** @type {any} */ change) => change.looser)
      .map((/** @type {any} */ { subject }) => subject);
    for (const subject of [
      'program reports/report.txt.jq',
      'window',
      'error_cap',
      'gate latency_ms_p50',
      'tolerance',
      'expectation of request GET /list',
      'request GET /more',
      'threshold http_req_duration p(95) at most',
      'threshold http_req_duration max at most',
      'sampled service app',
      'load',
    ]) {
      assert.ok(subjects.includes(subject), `${subject} in ${subjects.join('; ')}`);
    }
    assert.equal(list.verdict, 'inconclusive');
    assert.match(list.reason, /^head's benchmark measures or expects less: .* and 10 changes more$/);
  });

  test("gate, tolerance and programs are base's: a slower head that changes them does not pass", async () => {
    const folder = await repository(
      {},
      {
        'specs/shop/pause.json': '25',
        'specs/shop/spec.toml': spec.replace('gate = ["latency_ms_p50"]', 'gate = ["throughput_rps"]'),
        'reports/comparison.json.jq': '{ verdict: "pass", exit: 0, cases: [] }',
      },
    );
    const { code, json, stderr } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--scenario', 'list');
    // On a busy machine three blocks may not decide it; by head's own rule it would pass in any case.
    assert.ok(code === 1 || code === 3, stderr);
    const p50 = json.cases[0].metrics.find((/** @type {any} */ { metric }) => metric === 'latency_ms_p50');
    assert.deepEqual([p50.gated, p50.tolerance, p50.ratio > 1.5], [true, 0.5, true], JSON.stringify(p50));
  });

  test('what base accepts is named with its reason, and stops nobody', async () => {
    const accept = `[[accept]]\nchange = "shop/local/list: error_cap"\nreason = "it was too strict"\n${bench}`;
    const folder = await repository(
      { 'bench.toml': accept },
      { 'specs/shop/spec.toml': spec.replace('error_cap = 0.001', 'error_cap = 0.01') },
    );
    const { json } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--scenario', 'list');
    const [list] = json.cases;
    assert.deepEqual(list.changes, [
      { subject: 'error_cap', base: '0.001', head: '0.01', looser: true, accepted: 'it was too strict' },
    ]);
    assert.doesNotMatch(list.reason ?? '', /measures or expects less/);
  });

  test('two sides that are the same files are told so', async () => {
    const folder = await repository({}, {});
    for (const sides of [['HEAD~1', 'HEAD'], ['HEAD']]) {
      const { code, json } = await duet(folder, ...sides, '--scenario', 'other', '--blocks', '2');
      assert.equal(code, 3);
      assert.match(json.cases[0].reason, /both sides are the same files/);
    }
  });

  test('a scenario that is not to be measured any more is no pass', async () => {
    const todo = spec.replace('[scenarios.other]\n', '[scenarios.other]\nstatus = "todo"\nreason = "later"\n');
    const folder = await repository({}, { 'specs/shop/spec.toml': todo });
    const { code, json } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--scenario', 'other');
    assert.equal(code, 3);
    assert.match(json.cases[0].reason, /its status is todo/);
  });

  test('changes that are not committed beside a commit are told', async () => {
    const folder = await repository({}, { 'specs/shop/pause.json': '3' });
    await writeFile(join(folder, 'specs', 'shop', 'pause.json'), '99');
    const { json } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--scenario', 'other', '--blocks', '2');
    assert.match(json.notes.join('\n'), /changes that are not committed: they are not measured/);
  });
});
