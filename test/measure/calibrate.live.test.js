import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { conditionsOf, nextCondition } from '../../dist/run/calibrate/conditions.js';
import { benchfolio, folderOf, spawnBenchfolio, startBenchfolio } from '../support/cli.js';
import { repositoryOf } from '../support/commits.js';
import { assertNothingLeft } from '../support/situations.js';

/** Works as long as it is asked to, and else sleeps, for others to have the machine. */
const server = `
const loops = Number(process.env.LOOPS ?? 20000);
require('node:http').createServer((request, response) => {
  let x = 0;
  for (let i = 0; i < loops; i += 1) x = (x * 31 + i) | 0;
  setTimeout(() => response.end(String(x)), 3);
}).listen(process.env.PORT, '127.0.0.1');
`;

const spec = `
title = "Loop"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
build = ["cp", "server.cjs", "\${run.dir}/built.cjs"]
command = ["node", "\${run.dir}/built.cjs"]
env = { PORT = "\${port}" }
ready = "http://127.0.0.1:\${port}/"
[scenarios.turns]
executor = "constant-vus"
vus = 5
duration = "30s"
requests = [{ get = "/" }]
[calibrate]
scenario = "turns"
[calibrate.kinds]
much = { both = { NOTE = "x" }, head = { LOOPS = 5000000 } }
`;

const filesOf = (/** @type {string} */ text) => ({
  'bench.toml': `default = "loop"
[duet]
blocks = 3
warmup = "300ms"
duration = "1s"
load = { warmup = "300ms", duration = "700ms", saturation = "700ms" }
age = "6s"
`,
  'specs/loop/spec.toml': text,
  'specs/loop/server.cjs': server,
});

const suite = (/** @type {string} */ text = spec) => folderOf(filesOf(text));

/** @param {string} folder */
const calibrations = (folder) => join(folder, 'reports', 'calibrations', 'loop');

/** The trials that are kept: a file for each session, a line for each trial. @param {string} folder @returns {Promise<any[]>} */
async function trialsIn(folder) {
  const files = (await readdir(calibrations(folder)).catch(() => [])).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(calibrations(folder), name), 'utf8')));
  return texts.flatMap((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}

describe('calibrate', { concurrency: true }, () => {
  test('keeps each trial when it ends, goes on where it was, and says how often a duet is wrong', async () => {
    const folder = await suite();
    const first = await spawnBenchfolio(['calibrate', '--trials', '2'], { cwd: folder });
    assert.equal(first.code, 0, first.stderr);
    assert.equal((await trialsIn(folder)).length, 2);
    const { code, stdout, stderr } = await spawnBenchfolio(['calibrate', 'loop', '--trials', '1'], { cwd: folder });
    assert.equal(code, 0, stderr);
    await assertNothingLeft(folder);

    const trials = await trialsIn(folder);
    assert.deepEqual(
      trials.map(({ condition, bursts }) => [condition, bursts]),
      [
        ['aa', false],
        ['aa-noisy', true],
        ['much', false],
      ],
    );
    for (const { base, head, status, reason, pair } of trials) {
      assert.equal(status, 'measured', reason);
      assert.equal(pair.swapped_cores, availableParallelism() > 1);
      for (const side of [base, head]) {
        assert.equal(side.metrics.latency_ms_p50.samples.length, 3);
        assert.deepEqual([side.lanes.load.rounds, side.lanes.saturation.rounds], [2, 2]);
      }
    }
    assert.deepEqual(trials[2].both, { NOTE: 'x' });
    const [base, head] = [trials[2].base, trials[2].head].map((side) => side.metrics.cpu_ms_per_request.samples);
    const ratios = head.map((/** @type {number} */ x, /** @type {number} */ i) => x / base[i]);
    assert.ok(
      ratios.every((/** @type {number} */ ratio) => ratio > 3),
      ratios.join(' '),
    );
    assert.match(stdout, /3 trials of local turns in 2 calibration sessions/);
    assert.match(stdout, /much \(LOOPS=5000000; both sides NOTE=x\)\s+1 +1 +0 +0 +0 /);

    const replayed = await benchfolio(['replay', '--tolerance', '0.5', '--gate', 'latency_ms_p50', '--json'], {
      cwd: folder,
    });
    assert.equal(replayed.code, 0, replayed.stderr);
    const { rule, conditions, unchanged } = JSON.parse(replayed.stdout);
    assert.deepEqual([rule.tolerance, rule.gate, rule.alpha], [0.5, ['latency_ms_p50'], 0.01]);
    const much = conditions.find((/** @type {any} */ { condition }) => condition === 'much');
    assert.deepEqual([much.judged.verdicts.fail, much.judged.finds.latency_ms_p50], [1, 1]);
    assert.deepEqual(
      [unchanged.at_zero.of, unchanged.at_edge.of, unchanged.miscoverage[0].observed.latency_ms_p50.of],
      [2, 2, 2],
    );
  });

  test('two checkouts of a commit, built apart in folders of unlike length, are a condition of their own', async () => {
    const note = '\nrequire("node:fs").appendFileSync(process.env.SEEN, process.cwd() + "\\n");\n';
    const seen = join(await folderOf({}), 'seen');
    const text = spec.replace('env = { PORT', `env = { SEEN = "${seen}", PORT`);
    const files = { ...filesOf(text), 'specs/loop/server.cjs': server + note };
    const asked = ['calibrate', '--only', 'aa-checkouts', '--trials', '1'];
    const refused = await benchfolio(asked, { cwd: await folderOf(files) });
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      /cannot be checked out twice: the suite is in no commit of a git repository\nCommit first/,
    );
    const folder = await repositoryOf(files, {});
    const { code, stdout, stderr } = await spawnBenchfolio(asked, { cwd: folder });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /A\/A, two checkouts/);
    const [trial, ...others] = await trialsIn(folder);
    assert.deepEqual([trial.condition, trial.status, trial.env, others], ['aa-checkouts', 'measured', {}, []]);
    const folders = [...new Set((await readFile(seen, 'utf8')).trimEnd().split('\n'))].map((path) => path.length);
    assert.equal(folders.length, 2, 'each side has a folder of its own');
    assert.ok(Math.abs(folders[0] - folders[1]) > 40, String(folders));
    await assertNothingLeft(folder);
    assert.equal(existsSync((await readFile(seen, 'utf8')).split('\n')[0]), false, 'the checkouts are deleted');
  });

  test('a trial that was interrupted is none; a damaged one is named, and none is lost', async () => {
    const folder = await suite();
    const { child, says, done } = startBenchfolio(['calibrate', '--trials', '2'], { cwd: folder });
    await says(/trial 2/);
    child.kill('SIGINT');
    assert.equal((await done).code, 130);
    await assertNothingLeft(folder);
    const [only, ...others] = await trialsIn(folder);
    assert.deepEqual(others, []);
    const older = join(calibrations(folder), '20000101T000000Z-1.ndjson');
    await writeFile(older, '{"schema":3');
    const { code, stderr } = await benchfolio(['replay'], { cwd: folder });
    assert.equal(code, 2);
    assert.match(stderr, /20000101T000000Z-1\.ndjson is truncated or damaged: its last line does not end/);
    await writeFile(older, '{"schema":1}\n');
    const { stderr: old } = await benchfolio(['replay'], { cwd: folder });
    assert.match(old, /20000101T000000Z-1\.ndjson:1 is of an older Benchfolio/);
    await writeFile(older, `${JSON.stringify(only)}\n`);
    const { stderr: moved } = await benchfolio(['replay'], { cwd: folder });
    assert.match(moved, /is not a list of trials: line 1: it is the trial /);
    assert.equal((await trialsIn(folder)).length, 2);
  });

  test('says what is missing', async () => {
    const none = await suite(spec.replace(/\[calibrate\][\s\S]*/, ''));
    const missing = await benchfolio(['calibrate'], { cwd: none });
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /specs\/loop\/spec\.toml has no \[calibrate\]/);
    const replayed = await benchfolio(['replay', 'loop'], { cwd: none });
    assert.equal(replayed.code, 2);
    assert.match(replayed.stderr, /there is no trial of "loop".*\nMeasure some: benchfolio calibrate loop/);
    const wrong = await suite(spec.replace('scenario = "turns"', 'scenario = "trns"'));
    const checked = await benchfolio(['check'], { cwd: wrong });
    assert.equal(checked.code, 2);
    assert.match(checked.stdout + checked.stderr, /there is no scenario "trns"[\s\S]*turns/);
    const many = await suite(spec.replace('vus = 5', 'vus = "${users}"\nsweep = { users = [1, 2] }'));
    const ambiguous = await benchfolio(['calibrate'], { cwd: many });
    assert.equal(ambiguous.code, 2);
    assert.match(
      ambiguous.stderr,
      /leaves 2 cases, and must leave one\nThey are local\/turns,users=1, local\/turns,users=2/,
    );
    const shared = await suite(spec.replace('[[environments', 'confirm = "ask first"\n[[environments'));
    const unasked = await benchfolio(['calibrate'], { cwd: shared });
    assert.equal(unasked.code, 2);
    assert.match(unasked.stderr, /ask first\nNothing was sent.* --confirm/);
    assert.deepEqual(await trialsIn(shared), []);
    const stranger = await benchfolio(['calibrate', '--only', 'mch'], { cwd: await suite() });
    assert.match(stranger.stderr, /no condition "mch"\nThere are aa, aa-noisy, aa-checkouts, much/);
  });

  test('trials are shared out by weight', () => {
    const conditions = conditionsOf({ kinds: { small: { head: { X: 1 } } } });
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (let n = 0; n < 125; n += 1) {
      const { name } = nextCondition(conditions, counts);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(counts), { aa: 60, 'aa-noisy': 30, 'aa-checkouts': 30, small: 5 });
  });
});
