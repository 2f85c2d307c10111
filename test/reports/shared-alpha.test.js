// How the cases of a duet share alpha: an interim look at one of them judges it as the end does, whatever the others have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonOf } from '../support/comparisons.js';

/** @param {any} compared @param {string} name */
const rowsOf = ({ cases }, name) => {
  const { verdict, decided, metrics } = cases.find((/** @type {any} */ one) => one.case === name);
  return { verdict, decided, metrics };
};

const one = { name: 'one', gate: ['cpu_ms_per_request'], worse: { cpu_ms_per_request: 1.2 }, noise: 0.05 };
const many = { name: 'many', gate: ['cpu_ms_per_request', 'latency_ms_p50', 'latency_ms_p95', 'throughput_rps'] };
const few = { name: 'few', gate: ['cpu_ms_per_request'] };

test('an interim look judges a case as the end does, with cases that have more metrics, or fewer', async () => {
  for (const others of [[many], [few], [many, few, { ...many, name: 'more' }]]) {
    const look = await comparisonOf([one], { sharing: 1 + others.length });
    const end = await comparisonOf([...others, one], { sharing: 1 + others.length });
    assert.deepEqual(rowsOf(end, 'one'), rowsOf(look, 'one'), `beside ${others.length}`);
    assert.deepEqual(
      rowsOf(await comparisonOf([...others, one]), 'one'),
      rowsOf(look, 'one'),
      'where nobody says how many',
    );
  }
});

test('a plan that says less than its cases are, as older ones do, gives none more than its part', async () => {
  assert.deepEqual(
    rowsOf(await comparisonOf([one, many], { sharing: 1 }), 'one'),
    rowsOf(await comparisonOf([one, many]), 'one'),
  );
});

test('what is sure at a look stays so, though others would have taken from it', async () => {
  // Sure with a half of alpha, and not with a fifth of it, which it would have if all metrics had the same part.
  const noisy = { ...one, worse: { cpu_ms_per_request: 1.04 }, noise: 0.0286 };
  const look = await comparisonOf([noisy], { sharing: 2 });
  assert.equal(rowsOf(look, 'one').verdict, 'fail');
  const alone = await comparisonOf([noisy, { ...many, name: 'b' }], { sharing: 2 });
  assert.equal(rowsOf(alone, 'one').verdict, 'fail');
});

test('the parts of all cases add up to alpha, and the smallest is said', async () => {
  const { budget, cases } = await comparisonOf([one, many]);
  assert.equal(budget.alpha, 0.01);
  assert.equal(cases.length, 2);
  const [mine] = cases[0].metrics;
  assert.ok(budget.each <= 0.01 / 2 / 4, `${budget.each}`);
  assert.equal(mine.gated, true);
});
