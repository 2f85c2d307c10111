// A change is judged by base's rule: what head measures or expects less is named, and is no pass.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { spawnBenchfolio } from '../support/cli.js';
import { commit, duet, repositoryOf } from '../support/commits.js';
import { shop } from '../support/shop.js';

const server = `require('node:http').createServer((request, response) => {
  setTimeout(() => response.end('{"ok":true}'), require('./pause.json'));
}).listen(process.env.PORT, '127.0.0.1');`;

const bench = '[duet]\nload = false\nblocks = 3\nwarmup = "300ms"\nduration = "900ms"\n';

const spec = `${shop}[scenarios.list]
executor = "constant-vus"
vus = 2
duration = "20s"
window = { from = "2s" }
error_cap = 0.001
compare = { gate = ["latency_ms_p50"], tolerance = 0.5, alpha = 1e-9 }
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

/** @param {Parameters<typeof repositoryOf>[1]} base files that differ from the usual ones @param {Parameters<typeof repositoryOf>[2]} head */
const repository = (base, head) => repositoryOf(usual, base, head);

const usual = {
  'bench.toml': bench,
  'specs/shop/spec.toml': spec,
  'specs/shop/server.cjs': server,
  'specs/shop/pause.json': '2',
};

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
    const { code, json, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--json');
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
    assert.match(list.reason, /^head's benchmark measures or expects less, or in another way: .* and 10 changes more$/);
  });

  test("gate, tolerance and blocks are base's: a head that changes them is measured by them all the same", async () => {
    const folder = await repository(
      {},
      {
        'specs/shop/pause.json': '25',
        'specs/shop/spec.toml': spec.replace('gate = ["latency_ms_p50"]', 'gate = ["throughput_rps"]'),
        'bench.toml': bench.replace('blocks = 3', 'blocks = 2'),
      },
    );
    const { code, json, stderr } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--scenario', 'list', '--json');
    // With this alpha nothing is decided; by head's own rule it would pass.
    assert.equal(code, 3, stderr);
    const p50 = json.cases[0].metrics.find((/** @type {any} */ { metric }) => metric === 'latency_ms_p50');
    assert.ok(p50, JSON.stringify(json.cases[0]));
    assert.deepEqual([p50.gated, p50.tolerance, p50.verdict], [true, 0.5, 'unclear'], JSON.stringify(p50));
    assert.equal(json.cases[0].rounds, 3, "as many blocks as base's bench.toml says");
  });

  test('a head that brings programs that judge is refused before anything is measured', async () => {
    const judge = { 'reports/comparison.json.jq': '{ verdict: "pass", exit: 0, cases: [] }' };
    const folder = await repository({}, judge);
    const { code, stdout, stderr } = await duet(folder, 'HEAD~1', 'HEAD');
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /a suite cannot override what reduces or judges\s+--> reports\/comparison\.json\.jq/);
  });

  test('what base accepts is named with its reason, and stops nobody', async () => {
    const accept = `[[accept]]\nchange = "shop/local/list: error_cap: 0.001 -> 0.01"\nreason = "it was too strict"\n${bench}`;
    const folder = await repository(
      { 'bench.toml': accept },
      { 'specs/shop/spec.toml': spec.replace('error_cap = 0.001', 'error_cap = 0.01') },
    );
    const { json } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--scenario', 'list', '--json');
    const [list] = json.cases;
    assert.deepEqual(list.changes, [
      {
        subject: 'error_cap',
        base: '0.001',
        head: '0.01',
        looser: true,
        accept: 'shop/local/list: error_cap: 0.001 -> 0.01',
        accepted: 'it was too strict',
      },
    ]);
    assert.doesNotMatch(list.reason ?? '', /measures or expects less/);
  });

  test('two sides that are the same files are an A/A trial, and it is said', async () => {
    const folder = await repository({}, {});
    for (const sides of [['HEAD~1', 'HEAD'], ['HEAD']]) {
      const { code, json } = await duet(folder, ...sides, '--scenario', 'other', '--blocks', '2', '--json');
      // With this alpha nothing is decided; that they are the same decides nothing either.
      assert.equal(code, 3);
      assert.match(json.cases[0].reason, /minimum detectable effect|is undecided|unclear/);
      assert.deepEqual(
        json.cases[0].changes.map((/** @type {any} */ { subject, looser }) => [subject, looser]),
        [['files', false]],
      );
      const comment = await spawnBenchfolio(['comment', '--dry-run'], { cwd: folder });
      assert.match(
        comment.stdout.split('\n')[0] + comment.stdout,
        /Base and head are the same files .*: an A\/A trial/,
      );
    }
  });

  test('a scenario that is not to be measured any more is no pass', async () => {
    const todo = spec.replace('[scenarios.other]\n', '[scenarios.other]\nstatus = "todo"\nreason = "later"\n');
    const lie = { 'reports/report.txt.jq': '"Pass: all is well"' };
    const folder = await repository({}, { 'specs/shop/spec.toml': todo, ...lie });
    const words = ['HEAD~1', 'HEAD', 'shop', '--scenario', 'other'];
    const { code, json } = await duet(folder, ...words, '--json');
    assert.equal(code, 3);
    assert.match(json.cases[0].reason, /its status is todo/);
    const { stdout } = await duet(folder, ...words);
    assert.match(stdout, /^Inconclusive: /, "base's programs print, too");
  });

  test('changes that are not committed beside a commit are named', async () => {
    const folder = await repository({}, { 'specs/shop/pause.json': '3' });
    await writeFile(join(folder, 'specs', 'shop', 'pause.json'), '99');
    const { json } = await duet(folder, 'HEAD~1', 'HEAD', 'shop', '--scenario', 'other', '--blocks', '2', '--json');
    assert.match(json.notes.join('\n'), /changes that are not committed: they are not measured/);
  });

  test('a base that runs a file of head is named', async () => {
    const folder = await repository({}, { 'specs/shop/pause.json': '3' });
    const file = join(folder, 'specs', 'shop', 'server.cjs');
    await writeFile(join(folder, 'specs', 'shop', 'spec.toml'), spec.replace('"server.cjs"', JSON.stringify(file)));
    await commit(folder);
    await writeFile(join(folder, 'specs', 'shop', 'pause.json'), '4');
    await commit(folder);
    const { code, json, stderr } = await duet(
      folder,
      'HEAD~1',
      'HEAD',
      '--scenario',
      'other',
      '--blocks',
      '2',
      '--json',
    );
    assert.equal(code, 3, stderr);
    const [other] = json.cases;
    assert.equal(other.reason, `both sides are the same files (base's service app runs ${file})`);
  });

  test('a build that fails without saying so, and leaves what base runs, is named', async () => {
    // one scenario will do
    const built = (
      spec.slice(0, spec.indexOf('[scenarios.list]')) + spec.slice(spec.indexOf('[scenarios.other]'))
    ).replace(
      'command = ["node", "server.cjs"]',
      'build = ["node", "build.cjs"]\ncommand = ["node", "dist/server.cjs"]',
    );
    const build =
      "require('node:fs').cpSync('server.cjs', 'dist/server.cjs'); require('node:fs').cpSync('pause.json', 'dist/pause.json')";
    const folder = await repository(
      { '.gitignore': '.bench\ndist\n', 'specs/shop/spec.toml': built, 'specs/shop/build.cjs': build },
      { 'specs/shop/build.cjs': 'process.exitCode = 0; // "tsc || true"', 'specs/shop/pause.json': '9' },
    );
    for (const [name, text] of Object.entries({ 'server.cjs': server, 'pause.json': '2' })) {
      await mkdir(join(folder, 'specs', 'shop', 'dist'), { recursive: true });
      await writeFile(join(folder, 'specs', 'shop', 'dist', name), text);
    }
    const { json, stderr } = await duet(folder, 'HEAD~1', 'HEAD', '--blocks', '2', '--json');
    assert.equal(
      json.cases[0].reason,
      'both sides run the same program (service app runs specs/shop/dist/server.cjs), though specs/shop/build.cjs is not the same: was it built anew?',
      stderr,
    );
  });
});
