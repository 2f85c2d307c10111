import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { compilersMeter } from '../../dist/base/process/compiler-threads.js';
import { usageMeter } from '../../dist/base/process/usage.js';

/** @import { TestContext } from 'node:test' */

/** Work of 150 ms of CPU time, however long it has to wait for a core. */
const busy = `
  const used = () => { const { user, system } = process.cpuUsage(); return user + system; };
  for (const end = used() + 150e3; used() < end;);
`;

/**
 * A Node.js process that does some work each time it is asked to.
 * @param {TestContext} context
 * @param {string} work
 */
async function worker(context, work) {
  const child = spawn(
    process.execPath,
    [
      '-e',
      `
    const { execFileSync } = require('node:child_process');
    const { Worker } = require('node:worker_threads');
    console.log('up');
    process.stdin.on('data', async () => { ${work}; console.log('done'); });
  `,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  context.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return {
    pid: /** @type {number} */ (child.pid),
    async doWork() {
      child.stdin.write('go');
      await once(child.stdout, 'data');
    },
  };
}

for (const [what, work] of Object.entries({
  'a process itself': busy,
  'a child that nobody saw': `execFileSync(process.execPath, ['-e', ${JSON.stringify(busy)}])`,
  'a thread that nobody saw': `await new Promise((done) => new Worker(${JSON.stringify(busy)}, { eval: true }).on('exit', done))`,
})) {
  test(`the CPU time of ${what} is counted`, async (context) => {
    const { pid, doWork } = await worker(context, work);
    const meter = usageMeter();
    const before = meter([pid]).cpu_ns;
    await doWork();
    const used_ms = (meter([pid]).cpu_ns - before) / 1e6;
    // Starting Node.js comes on top, and more of it where others keep the caches warm for themselves.
    assert.ok(used_ms > 140 && used_ms < 1500, `${used_ms} ms`);
  });
}

test('CPU time is never counted twice, and does not fall when a process of the family ends', async (context) => {
  const { pid, doWork } = await worker(context, busy);
  const meter = usageMeter();
  const own = usageMeter();
  await doWork();
  const [family, alone] = [meter([process.pid, pid]), own([process.pid])];
  const child_ms = (family.cpu_ns - alone.cpu_ns) / 1e6;
  assert.ok(child_ms > 140 && child_ms < 1500, `${child_ms} ms`);
  assert.ok(family.memory_bytes > alone.memory_bytes + 10e6);
  const after = meter([process.pid]); // it is gone from the list, as when it has ended
  assert.ok(after.cpu_ns >= family.cpu_ns && after.cpu_ns < family.cpu_ns + 100e6);
  assert.ok(after.memory_bytes < family.memory_bytes);
});

test('memory that processes share counts once', async (context) => {
  const { pid } = await worker(context, '');
  const { memory_bytes, pss_bytes } = usageMeter({ pss: true })([process.pid, pid]);
  assert.ok(Number(pss_bytes) > 10e6 && Number(pss_bytes) < memory_bytes - 10e6, `${pss_bytes} of ${memory_bytes}`);
  const meter = usageMeter({ pss: true });
  const [first, second] = [meter([pid]).pss_bytes, meter([pid]).pss_bytes]; // the second without asking again
  assert.ok(Math.abs(Number(first) - Number(second)) < 10e6, `${first}, ${second}`);
  assert.equal(usageMeter()([pid]).pss_bytes, undefined);
});

/** Keeps the compilers of a JVM busy for a while, then ends when its input does. */
const compiled = `
public class Busy {
  public static void main(String[] args) throws Exception {
    long sum = 0;
    for (int round = 0; round < 400; round++) 
      sum += java.util.stream.IntStream.range(0, 2000).mapToObj(n -> String.format("%d", n)).mapToLong(String::length).sum();
    System.out.println("done " + sum);
    System.in.read();
  }
}
`;

test('the CPU time of the threads that compile is known of a JVM, and is a part of all of it', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'compilers-'));
  context.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'Busy.java'), compiled);
  execFileSync('javac', ['-d', folder, join(folder, 'Busy.java')]);
  const child = spawn('java', ['-cp', folder, 'Busy'], { stdio: ['pipe', 'pipe', 'inherit'] });
  context.after(() => child.kill('SIGKILL'));
  const [all, compilers] = [usageMeter(), compilersMeter()];
  await once(child.stdout, 'data');
  const pid = Number(child.pid);
  const used = { all: all([pid]).cpu_ns / 1e6, compilers: compilers([pid]) / 1e6 };
  assert.ok(used.compilers > 100 && used.compilers < used.all, JSON.stringify(used));
  assert.equal(compilersMeter()([process.pid]), 0); // V8 has no threads for that alone
  child.stdin.end();
  await once(child, 'exit');
  assert.ok(compilers([pid]) / 1e6 >= used.compilers, 'it does not fall when the process ends');
});
