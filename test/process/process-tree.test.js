import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { followFamilies } from '../../dist/base/process/process-tree.js';

/** @import { Running } from '../../dist/base/process/command.js' */

/** Processes that no machine has: their environments cannot be read. */
const first = 2 ** 22 + 1;

/** @param {number} pid @param {number} ppid @param {{ start?: number, session?: number }} [more] */
const one = (pid, ppid, { start = 10, session = pid } = {}) => ({
  pid: first + pid,
  ppid: first + ppid,
  start,
  session: first + session,
  name: 'x',
  state: 'S',
  cpu_ticks: 0,
});

/**
 * Looks at machines, one after the other.
 * @param {ReturnType<typeof one>[][]} tables
 * @returns {number[][]} of each look, who belongs to the service, which is number 100
 */
function looks(...tables) {
  let table = tables[0];
  const running = /** @type {Running} */ ({
    pid: first + 100,
    start: 5,
    marker: 'BENCHFOLIO_RUN=x',
  });
  const look = followFamilies([{ name: 'db', running }], () => table);
  return tables.map((now) => {
    table = now;
    return (look().get('db') ?? []).map((pid) => pid - first).sort((a, b) => a - b);
  });
}

describe('the processes of a service', () => {
  test('belong to it though their numbers are lower than their parents’, whatever the order', () => {
    const table = [one(3, 100), one(4, 3), one(7, 1), one(100, 1), one(101, 100), one(5, 101)];
    for (const order of [table, table.toReversed(), table.toSorted((a, b) => b.session - a.session)]) {
      assert.deepEqual(looks(order), [[3, 4, 5, 100, 101]]);
    }
  });

  test('are found when they were seen before they belonged', () => {
    assert.deepEqual(looks([one(100, 1), one(7, 1)], [one(100, 1), one(7, 1, { session: 100 })]), [[100], [7, 100]]);
  });

  test('stay when their parent ends, and their numbers do not', () => {
    const [before, orphaned] = [one(7, 100), one(7, 1)];
    assert.deepEqual(looks([one(100, 1), before], [one(100, 1), orphaned]), [
      [7, 100],
      [7, 100],
    ]);
    const another = one(7, 1, { start: 20 });
    assert.deepEqual(looks([one(100, 1), before], [one(100, 1), another]), [[7, 100], [100]]);
    const stranger = one(8, 1);
    const child = one(8, 100, { start: 20 });
    assert.deepEqual(looks([one(100, 1), stranger], [one(100, 1), child]), [[100], [8, 100]]);
  });

  test('are none that started before it', () => {
    assert.deepEqual(looks([one(100, 1), one(7, 100, { start: 4 })]), [[100]]);
  });
});
