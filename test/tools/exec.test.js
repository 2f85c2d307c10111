import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExecError, exec } from '../../dist/base/tools/exec.js';

/** Runs a program of Node.js. @param {string} program @param {Parameters<typeof exec>[2]} [options] */
const node = (program, options) => exec(process.execPath, ['-e', program], options);

/** @param {Promise<unknown>} call @returns {Promise<ExecError>} */
const errorOf = (call) =>
  call.then(
    () => assert.fail('it ended well'),
    (error) => {
      assert.ok(error instanceof ExecError);
      return error;
    },
  );

test('gives what a program prints, byte by byte, and hands it its input', async () => {
  assert.deepEqual(await node('process.stdout.write(Buffer.from([0, 255, 10]))'), Buffer.from([0, 255, 10]));
  assert.equal(String(await node('process.stdin.pipe(process.stdout)', { input: 'ä\n' })), 'ä\n');
  const large = 'x'.repeat(1 << 20);
  assert.equal(
    String(await node('process.stdin.destroy(); console.log(1)', { input: large })),
    '1\n',
    'not all is read',
  );
});

test('tells each line of standard error while the program runs', async () => {
  /** @type {string[]} */
  const lines = [];
  await node('console.error("a\\nb"); console.log("c")', { onLine: (line) => lines.push(line) });
  assert.deepEqual(lines, ['a', 'b']);
});

test('says how a program failed', async () => {
  const failed = await errorOf(node('console.log("out"); console.error("why"); process.exitCode = 3'));
  assert.deepEqual([failed.stdout, failed.stderr, failed.missing, failed.late], ['out', 'why', false, false]);
  assert.match(failed.message, / ended with 3$/);
  const missing = await errorOf(exec('no-such-program-of-ours', []));
  assert.deepEqual([missing.missing, missing.late], [true, false]);
});

test('kills a program whose time is over', async () => {
  const late = await errorOf(node('setInterval(() => {}, 1000)', { timeout_ms: 500 }));
  assert.deepEqual([late.late, late.missing], [true, false]);
  assert.match(late.message, / did not end within 0\.5 s$/);
});

test('detached, a program is in a group of its own, which a signal to ours does not reach', async () => {
  for (const detached of [true, false]) {
    const [pid, , , , group] = String(await exec('cat', ['/proc/self/stat'], { detached })).split(' ');
    assert.equal(pid === group, detached);
  }
});
