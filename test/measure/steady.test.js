// After how many seconds of a load a service is warm.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce, steadyAfter } from '../../dist/run/duet/steady.js';

/** @param {(number | null)[]} costs */
const seconds = (...costs) => costs.map((cost) => ({ iterations: 100, cost }));

test('a service that costs the same from its first second on needs no warm-up', () => {
  assert.deepEqual(steadyAfter(seconds(...Array(8).fill(1))), { iterations: 0, seconds: 0, steady: true });
  const scattered = seconds(1.05, 0.96, 1.04, 0.97, 1.03, 0.98, 1.05, 0.95);
  assert.deepEqual(steadyAfter(scattered), { iterations: 0, seconds: 0, steady: true });
});

test('it is warm once no later two seconds cost more than twice as much as the last four', () => {
  const soon = seconds(4, 2, 1, 1, 1, 1, 1, 1, 1, 1);
  assert.deepEqual(steadyAfter(soon), { iterations: 200, seconds: 2, steady: true });
  // A collection of garbage in the middle is no reason to begin before it.
  assert.equal(steadyAfter(seconds(4, 1, 1, 3.4, 1, 1, 1, 1, 1)).seconds, 5);
});

test('one that still gets cheaper is not steady', () => {
  assert.deepEqual(steadyAfter(seconds(9, 8, 7, 6, 5, 4, 3, 2)), { iterations: 300, seconds: 3, steady: false });
});

test('one that is compiled in steps is warm after the last of them', () => {
  const half = [4.9, 2.2, 1.3, 1.2, 4, 2.6, 1.6, 1.1, 1.1, 0.9, 0.6, 0.5];
  assert.equal(steadyAfter(seconds(...half)).steady, false);
  const all = seconds(...half, 0.5, 0.5, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2);
  assert.deepEqual(steadyAfter(all), { iterations: 1400, seconds: 14, steady: true });
});

test('one that gets dearer is as warm as it will be', () => {
  assert.equal(steadyAfter(seconds(1, 1, 1, 1, 1.2, 1.2, 1.5, 2)).steady, true);
});

test('where CPU time is not known, the iterations of a second stand for it', () => {
  const at = (/** @type {number[]} */ ...rates) => rates.map((iterations) => ({ iterations, cost: null }));
  assert.deepEqual(steadyAfter(at(10, 50, ...Array(8).fill(100))), {
    iterations: 60,
    seconds: 2,
    steady: true,
  });
  assert.equal(steadyAfter(at(10, 20, 30, 40, 50, 60, 70, 80)).steady, false);
});

test('nothing that was done is not steady', () => {
  assert.deepEqual(steadyAfter([]), { iterations: 0, seconds: 0, steady: false });
  assert.equal(steadyAfter(seconds(...Array(4).fill(null)).map(() => ({ iterations: 0, cost: null }))).steady, false);
});

test('two sides at the same time are as one: what one takes from the other is no sign of a cold start', () => {
  const base = seconds(4, 2, 1.3, 1.2, 1.3, 1.2, 0.8, 0.7, 0.8, 0.7);
  const head = seconds(4, 2, 0.7, 0.8, 0.7, 0.8, 1.2, 1.3, 1.2, 1.3);
  assert.equal(steadyAfter(base).steady, false);
  assert.deepEqual(steadyAfter(atOnce(base, head)), { iterations: 200, seconds: 2, steady: true });
});
