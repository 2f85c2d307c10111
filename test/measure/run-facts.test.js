import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsIn } from '../../dist/run/generator/request-failures.js';
import { coresOf, generatorCores } from '../../dist/run/session/cores.js';
import { runnerOf } from '../../dist/run/session/fingerprint.js';
import { caseCommandOf } from '../../dist/run/session/repeat-command.js';

test('cores are read like taskset does', () => assert.deepEqual(coresOf('0-2,5'), [0, 1, 2, 5]));

test('k6 gets the cores that pinned services leave, or all', () => {
  assert.deepEqual(generatorCores([{ cpus: '0' }, { cpus: '1' }], [0, 1, 2, 3]), { cores: [2, 3], pinned: true });
  assert.deepEqual(generatorCores([{ cpus: '0' }, { cpus: null }], [0, 1]), { cores: [0, 1], pinned: false });
  assert.deepEqual(generatorCores([{ cpus: '0-1' }], [0, 1]), { cores: [0, 1], pinned: false });
  assert.deepEqual(generatorCores([], [0, 1]), { cores: [0, 1], pinned: false });
});

test('the kind of runner is known from what CI services set', () => {
  assert.equal(runnerOf({}), 'local');
  assert.equal(runnerOf({ CI: 'false' }), 'local');
  assert.equal(runnerOf({ CI: '1' }), 'ci');
  assert.equal(runnerOf({ CI: 'true', GITHUB_ACTIONS: 'true', RUNNER_ENVIRONMENT: 'github-hosted' }), 'github-hosted');
  assert.equal(runnerOf({ CI: 'true', GITHUB_ACTIONS: 'true' }), 'self-hosted');
});

test('the command that repeats a case can be pasted into a shell', () => {
  const one = /** @type {any} */ ({
    system: 'box',
    environment: 'good',
    scenario: 'swept',
    values: { rate: 20 },
    confirm: null,
  });
  const asked = { set: { greeting: "it's; rm -rf ~" }, profile: 'quick', rounds: 3, seed: 5, baseline: 'v1' };
  assert.equal(
    caseCommandOf(one, asked),
    'npx benchfolio run box --env good --scenario swept --profile quick --rounds 3 ' +
      "--seed 5 --baseline v1 --set 'greeting=it'\\''s; rm -rf ~' --set rate=20",
  );
});

test('how requests failed is read from what k6 logs, each way once', () => {
  const line = (/** @type {string} */ text, level = 'warning') =>
    `time="2026-11-22T01:04:43Z" level=${level} msg=${JSON.stringify(text)} source=console\n`;
  const log = [
    line('benchfolio: a rate: a response has neither Content-Length nor a body that is read', 'info'),
    ...[
      'benchfolio: GET /: status 404',
      'benchfolio: GET /: status 404',
      'benchfolio: POST "a": dial tcp: refused',
      'something else: x',
      `benchfolio: long: ${'x'.repeat(999)}`,
      'benchfolio: one more',
    ].map((text) => line(text)),
  ].join('');
  assert.deepEqual(problemsIn([log, log]), [
    'GET /: status 404',
    'POST "a": dial tcp: refused',
    `long: ${'x'.repeat(194)}`,
  ]);
});
