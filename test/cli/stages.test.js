// The runner of .ci/run and .ci/live: a stage hides no other, and what fails once is not green.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { failedTests, readTable, reportOf, runStages } from '../make/stages.js';
import { root } from '../support/cli.js';
import { scratchFolder } from '../support/scratch.js';

/** @param {string} table @param {boolean} [again] */
async function run(table, again = true) {
  const folder = scratchFolder('stages');
  /** @type {string[]} */
  const printed = [];
  const text = table.replaceAll('HERE', folder);
  const outcomes = await runStages(readTable(text), {
    logs: join(folder, 'logs'),
    again,
    print: (line) => printed.push(line),
  });
  const results = Object.fromEntries(outcomes.map(({ stage, result }) => [stage.name, result]));
  return { folder, printed, outcomes, results, report: reportOf(outcomes) };
}

describe('stages', () => {
  it('that fail hide no other, and the end names them with the last lines of their logs', async () => {
    const { results, report } = await run(`
first   alone 1 echo fine
bad     left  1 echo what is wrong; exit 7
beside  right 1 true
after   alone 1 echo figure: 12 s`);
    assert.deepEqual(results, { first: 'ok', bad: 'FAILED', beside: 'ok', after: 'ok' });
    assert.match(report, /^FAILED bad: exit code 7 \(.*bad-2\.log\)\nwhat is wrong$/m);
    assert.match(report, /^\| after \| \d+ \| ok \| 12 s \|$/m);
    assert.match(report, /\n3 passed, 1 failed$/);
  });

  it('that leave something out for want of it say so, and are not ok', async () => {
    const { results, report } = await run(`
whole   alone 1 echo skipped: no Docker daemon answers here
tests   alone 1 printf 'ok 1 - a # SKIP no wrk\\n    ok 1 - b # SKIP no wrk\\nok 2 - c # SKIP\\nok 3 - d \\# SKIP e\\n'
again   alone 1 test -e HERE/once && echo skipped: no wrk || { touch HERE/once; false; }
broken  alone 1 echo skipped: this; exit 1`);
    assert.deepEqual(results, { whole: 'skipped', tests: 'skipped', again: 'FLAKY', broken: 'FAILED' });
    assert.match(
      report,
      /^skipped in whole: no Docker daemon answers here\nskipped in tests: 2 tests: no wrk\nskipped in tests: 1 test: no reason is given\nskipped in again: no wrk\nskipped in broken: this$/m,
    );
    assert.match(report, /\n1 passed, 1 failed, 2 skipped, in whole or in part$/);
  });

  it('that pass the second time, alone, are FLAKY', async () => {
    const once = 'test -e HERE/again || { touch HERE/again; echo "not ok 3 - is quick"; exit 1; }';
    const { results, report } = await run(`flaky alone 1 ${once}`);
    assert.deepEqual(results, { flaky: 'FLAKY' });
    assert.match(report, /^FLAKY flaky: exit code 1 .*\n {2}is quick$/m);
    assert.match(report, /\n1 passed, 0 failed$/);
    assert.deepEqual((await run(`flaky alone 1 ${once}`, false)).results, { flaky: 'FAILED' });
  });

  it('that take longer than they may are ended with all that they started', async () => {
    const { results, outcomes, folder } = await run('slow alone 0.05 sleep 1000 & echo $! >HERE/pid; wait', false);
    assert.deepEqual(results, { slow: 'FAILED' });
    assert.equal(outcomes[0].because, 'it did not end within 0.05 minutes');
    const pid = readFileSync(join(folder, 'pid'), 'utf8').trim();
    assert.ok(pid === '' || !existsSync(`/proc/${pid}/cwd`), `${pid} lives`);
  });

  it('run side by side in two queues, and alone when all before are over', async () => {
    // Each of the two waits for the other.
    const { results } = await run(`
left   left  1 touch HERE/left;  until test -e HERE/right; do :; done
right  right 1 touch HERE/right; until test -e HERE/left; do :; done
alone  alone 1 test -e HERE/left && test -e HERE/right`);
    assert.deepEqual(results, { left: 'ok', right: 'ok', alone: 'ok' });
  });

  it('are lines of a table, or an error', () => {
    assert.throws(
      () => readTable('lint make lint'),
      /not a stage \(name, alone\|left\|right, minutes, command\): lint make lint/,
    );
  });

  it('name the innermost tests that failed', () => {
    const log = `
    not ok 1 - adds up
      ---
      error: 'no'
not ok 4 - sums
  ---
  type: 'suite'
  failureType: 'subtestsFailed'`;
    assert.deepEqual(failedTests(log), ['adds up']);
  });
});

it('a stage that runs again runs the files of tests that had not passed, and no others', () => {
  const folder = scratchFolder('tests');
  const file = (/** @type {string} */ name, /** @type {string} */ body) => {
    const path = join(folder, `${name}.test.mjs`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      `import { appendFileSync, existsSync } from 'node:fs';
import { test } from 'node:test';
appendFileSync('${folder}/ran', '${name}\\n');
test('${name}', () => { ${body} });`,
    );
    return path;
  };
  const fails = `if (!existsSync('${folder}/fixed')) throw new Error('no')`;
  // Those of a folder called spec share a process.
  const files = [file('good', ''), file('bad', fails), file('spec/good', ''), file('spec/bad', fails)];
  const tests = () =>
    spawnSync(process.execPath, [join(root, 'test/make/tests.js'), ...files], {
      cwd: folder,
      env: { ...process.env, NODE_TEST_CONTEXT: undefined, PASSED_TESTS: join(folder, 'passed') },
    }).status;
  assert.equal(tests(), 1);
  writeFileSync(join(folder, 'fixed'), '');
  assert.equal(tests(), 0);
  const ran = readFileSync(join(folder, 'ran'), 'utf8').trim().split('\n').sort();
  assert.deepEqual(ran, ['bad', 'bad', 'good', 'spec/bad', 'spec/bad', 'spec/good']);
  assert.equal(tests(), 0, 'nothing is left to run');
});
