import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFaults } from '../../k6/plan/faults.js';

test('a fault is near from a second before it until all must be as before, or until the next is near', () => {
  const one = (/** @type {number} */ at_s, recover_within_s = 5) =>
    /** @type {const} */ ({ service: 'app', action: 'kill', at_s, for_s: 2, recover_within_s });
  assert.deepEqual(planFaults([one(0.5), one(10, 1), one(13.5)]), [
    { from_s: 0, end_s: 2.5, to_s: 7.5 },
    { from_s: 9, end_s: 12, to_s: 12.5 },
    { from_s: 12.5, end_s: 15.5, to_s: 20.5 },
  ]);
});
