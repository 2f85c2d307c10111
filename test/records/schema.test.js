// What JSON Schema has no keyword for, and what a row of a comparison has together or not at all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonProblem, recordProblem } from '../../dist/records/schema.js';
import { recordsOf } from '../support/site/synthetic-records.js';
import { syntheticComparison } from '../support/site/synthetic-run.js';

const [record] = recordsOf(['alpha'], 1, 'v1', 0);

test('lists that belong together have as many items', () => {
  assert.equal(recordProblem(record), null);
  const { distribution } = record;
  const short = { ...record, distribution: { ...distribution, values: distribution.values.slice(1) } };
  assert.equal(recordProblem(short), '/distribution must have as many items in p as in values');
  const tail = { p: [90, 99], counts: [5], values: [[1, 2, 3]] };
  assert.equal(recordProblem({ ...record, tail }), '/tail must have as many items in p as in values[]');
  assert.equal(recordProblem({ ...record, tail: { ...tail, values: [[1, 2]] } }), null);
});

test('a row of a comparison has a whole interval, or none and no verdict', () => {
  const comparison = syntheticComparison(recordsOf(['alpha'], 1, '20260101T000000Z-1', 0), 'v1');
  assert.equal(comparisonProblem(comparison), null);
  const [first] = comparison.cases;
  const row = first.metrics.find(({ low }) => low !== null) ?? assert.fail('no row has an interval');
  const none = { ratio: null, low: null, high: null, equivalence: null, mde: null };
  const open = { ...none, verdict: 'unclear', may_be_worse: true, seems_worse: false, reason: 'one block' };
  const problemOf = (/** @type {object} */ change) =>
    comparisonProblem({ ...comparison, cases: [{ ...first, metrics: [{ ...row, ...change }] }] });
  assert.equal(problemOf({}), null);
  assert.equal(problemOf(open), null);
  for (const half of [{ low: null }, { ratio: null }, { ...open, verdict: 'same' }, { ...open, may_be_worse: false }])
    assert.match(String(problemOf(half)), /^\/cases\/0\/metrics\/0/, JSON.stringify(half));
});
