import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkTotals } from '../../dist/base/process/usage.js';

/** As /proc/<pid>/net/dev has it. @param {Record<string, [number, number]>} interfaces received and sent bytes */
const table = (interfaces) =>
  [
    'Inter-|   Receive                                                |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed',
    ...Object.entries(interfaces).map(
      ([name, [rx, tx]]) => `${name.padStart(6)}: ${rx} 1 0 0 0 0 0 0 ${tx} 1 0 0 0 0 0 0`,
    ),
    '',
  ].join('\n');

test('what interfaces count only grows: one that goes with a container takes nothing away', () => {
  const add = networkTotals();
  const totals = (/** @type {Record<string, [number, number]>} */ interfaces) => Object.values(add(table(interfaces)));
  assert.deepEqual(totals({ lo: [100, 100], veth1: [5000, 70] }), [5100, 170]);
  assert.deepEqual(totals({ lo: [150, 160], veth1: [5010, 70] }), [5160, 230]);
  assert.deepEqual(totals({ lo: [200, 200] }), [5210, 270], 'veth1 is gone');
  assert.deepEqual(totals({ lo: [200, 200], 'eth0.1': [7, 8] }), [5217, 278], 'a new one');
  assert.deepEqual(totals({ lo: [30, 20], 'eth0.1': [7, 8] }), [5247, 298], 'another lo counts from zero');
});
