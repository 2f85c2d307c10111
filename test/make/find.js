// `benchfolio find` on a service whose capacity is known: so many workers, each of which sleeps so long.
//
//   node test/make/find.js
//
// The capacity is what the service itself answers a second when there is always somebody waiting: a timer sleeps a little
// longer than it is asked to. It must be found within 5 %, then be kept, compared and shown like any other record.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root, spawnBenchfolio } from '../support/cli.js';

/** @import { AddressInfo } from 'node:net' */

const folder = mkdtempSync(join(tmpdir(), 'benchfolio-find-'));
const [workers, users] = [10, 30];
const seconds = 4;

/** @returns {Promise<number>} responses a second, when there is always somebody waiting */
async function capacity() {
  const port = await freePort();
  const server = spawn(process.execPath, [join(folder, 'specs', 'pool', 'server.js')], {
    env: { ...process.env, PORT: String(port), WORKERS: String(workers), SLEEP_MS: '50' },
    stdio: 'inherit',
  });
  try {
    const url = `http://127.0.0.1:${port}/`;
    while (
      !(await fetch(`${url}up`).then(
        () => true,
        () => false,
      ))
    )
      await pause(20);
    let done = 0;
    let from = Infinity;
    const end = performance.now() + (seconds + 1) * 1000;
    const user = async () => {
      while (performance.now() < end) {
        await (await fetch(url)).text();
        if (performance.now() > from && performance.now() < end) done += 1;
      }
    };
    setTimeout(() => (from = performance.now()), 1000);
    await Promise.all(Array.from({ length: users }, user));
    return done / seconds;
  } finally {
    server.kill();
  }
}

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

/** @param {string[]} args */
async function ran(...args) {
  const outcome = await spawnBenchfolio(args, { cwd: folder });
  assert.equal(outcome.code, 0, `benchfolio ${args.join(' ')}\n${outcome.stdout}${outcome.stderr}`);
  return outcome;
}

try {
  cpSync(join(root, 'test', 'fixtures', 'pool'), folder, { recursive: true });
  const before = await capacity();
  const { stdout } = await ran('find', 'pool', '--scenario', 'work', '--probe', '4s', '--repeats', '3');
  const after = await capacity();
  console.log(stdout.trimEnd().split('\n').at(-1));
  console.log(`Capacity: ${before.toFixed(1)} and ${after.toFixed(1)} responses a second, before and after.`);
  await ran('keep', 'v1');
  const record = JSON.parse(
    readFileSync(join(folder, 'reports', 'versions', 'v1', 'pool', 'local', 'work,find=rate.json'), 'utf8'),
  );
  assert.match(record.command, /^npx benchfolio find pool --probe 4s --repeats 3 --env local --scenario work$/);
  const { value } = record.metrics.load_rps_max;
  const known = (before + after) / 2;
  assert.ok(Math.abs(value / known - 1) <= 0.05, `found ${value}, known ${known}`);
  assert.ok(record.search.curve.length > 10 && record.search.low <= value && value <= record.search.high);
  await ran('site');
  const page = readFileSync(join(folder, 'public', 'versions', 'v1', 'pool', 'local', 'work,find=rate.html'), 'utf8');
  assert.match(page, /The highest load that meets the thresholds/);
  console.log(`Found within ${(Math.abs(value / known - 1) * 100).toFixed(1)} % of it (5 % allowed).`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
