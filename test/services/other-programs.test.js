// Which programs beside ours keep the machine busy: tables of processes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clockTicks } from '../../dist/base/process/usage.js';
import { otherPrograms } from '../../dist/run/services/other-programs.js';

/** @import { Process } from '../../dist/base/process/processes.js' */

/** @param {number} pid @param {string} name @param {number} cpu_ticks @param {{ ppid?: number, start?: number }} [more] */
const one = (pid, name, cpu_ticks, { ppid = 1, start = 1 } = {}) => ({
  ...{ pid, name, cpu_ticks, ppid, start },
  session: pid,
  state: 'S',
});

const first = 2 ** 23; // no process of this machine

/** @param {Process[][]} tables */
function busiestIn(...tables) {
  const others = otherPrograms();
  for (const table of tables) others.look(table, [first + 1]);
  return others.busiest().map(({ name, cpu_ms }) => [name, (cpu_ms * clockTicks) / 1000]);
}

describe('other programs', () => {
  test('what was used before does not count, what began meanwhile does, by name together', () => {
    const before = [one(first + 5, 'postgres', 1000), one(first + 6, 'postgres', 10), one(first + 7, 'idle', 5)];
    const after = [one(first + 5, 'postgres', 1040), one(first + 8, 'postgres', 7), one(first + 7, 'idle', 5)];
    assert.deepEqual(busiestIn(before, after), [['postgres', 47]]);
  });

  test('services and what descends from them are none, also when their parent has ended, nor is docker-proxy', () => {
    const service = one(first + 1, 'app', 0);
    const look = (/** @type {number} */ ticks, ppid = first + 1) => [
      service,
      one(first + 2, 'worker', ticks, { ppid }),
      one(first + 3, 'docker-proxy', ticks),
      one(first + 4, 'other', ticks),
    ];
    assert.deepEqual(busiestIn(look(0), look(50), look(90, 1)), [['other', 90]]);
  });

  test('a number that is given to a second process begins anew, and a name has no control characters', () => {
    const before = [one(first + 5, 'a', 500)];
    assert.deepEqual(busiestIn(before, [one(first + 5, 'b\u001b[2J\n', 30, { start: 9 })]), [['b [2J', 30]]);
  });
});
