// What a command printed just before its end is read, also when its end is known first: by the signal of another's end.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../../dist/base/process/command.js';
import { openLog } from '../../dist/base/process/log.js';
import { runIn } from '../support/services-in.js';

test('what commands print just before they end is read when several end at the same time', async (context) => {
  const { run, folder } = await runIn(context);
  run.interrupt.signalled = new Promise(() => {});
  const print = async (/** @type {number} */ i) => {
    const argv = ['sh', '-c', `sleep 0.${50 + i}; echo token; echo last >&2`]; // one after the other
    const log = openLog(join(folder, `${i}.log`), { bounded: true });
    let text = '';
    await runCommand({ name: 'login', argv, cwd: folder, env: process.env, log, pipe: true }, run, {
      started({ child }) {
        child.stdout?.on('data', (piece) => {
          text += piece;
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50); // the others end meanwhile
        });
      },
    });
    return text + log.tail();
  };
  const printed = await Promise.all(Array.from({ length: 8 }, (_, i) => print(i)));
  assert.deepEqual(printed, Array(8).fill('token\nlast'));
});
