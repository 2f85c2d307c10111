import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runIds } from '../../dist/records/runs.js';
import { deleteOldRuns, deleteOldScratch } from '../../dist/run/session/leftovers.js';
import { takeLock } from '../../dist/run/session/lock.js';
import { folderOf } from '../support/cli.js';

const bootId = async () => (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();

/** @param {{ pid?: number, start: number }} holder */
const lockedBy = async (holder) =>
  folderOf({ lock: JSON.stringify({ run: 'old', time: '2026-01-01T00:00:00Z', boot: await bootId(), ...holder }) });

test('a lock is held once, and given back', async () => {
  const folder = await folderOf({});
  const { release, dead } = takeLock(folder, 'first');
  assert.equal(dead, null);
  assert.throws(() => takeLock(folder, 'second'), /another run is at work/);
  release();
  takeLock(folder, 'third').release();
  assert.deepEqual(await readdir(folder), []);
});

test('the lock of a process that is dead is taken over', async () => {
  const child = spawn('true');
  await once(child, 'exit');
  assert.equal(takeLock(await lockedBy({ pid: child.pid, start: 1 }), 'new').dead?.run, 'old');
});

test('the lock of a number that now belongs to another process is taken over', async () => {
  assert.equal(takeLock(await lockedBy({ pid: process.pid, start: 1 }), 'new').dead?.run, 'old');
});

test('a lock that cannot be read is taken over', async () => {
  assert.equal(takeLock(await folderOf({ lock: '{"pid": 1' }), 'new').dead, null);
});

test('a lock that a later run took is not given back by an earlier', async () => {
  const folder = await folderOf({});
  const { release } = takeLock(folder, 'first');
  await writeFile(join(folder, 'lock'), 'somebody else’s');
  release();
  assert.equal(await readFile(join(folder, 'lock'), 'utf8'), 'somebody else’s');
});

test('what began last is the last, whatever a clock said once', async () => {
  const names = ['19800101T000000Z-7', '20260102T000000Z-1', '20260103T000000Z-5', '22000101T000000Z-4'];
  const files = Object.fromEntries(names.map((name) => [`runs/${name}/comparison.json`, '{}']));
  const folder = await folderOf({ ...files, 'runs/other/x': '' });
  const [early, first, second, late] = names;
  assert.deepEqual(runIds(folder), [late, early, first, second]);
  await writeFile(join(folder, 'started'), `${first}\n`);
  assert.deepEqual(runIds(folder), [late, early, second, first]);
  deleteOldRuns(folder, 2);
  assert.deepEqual((await readdir(join(folder, 'runs'))).sort(), [first, second, 'other'].sort());
});

test('old runs are deleted, the newest stay', async () => {
  const names = ['20260101T000000Z-9', '20260102T000000Z-1', '20260103T000000Z-5'];
  const folder = await folderOf(Object.fromEntries(names.map((name) => [`runs/${name}/run.json`, '{}'])));
  deleteOldRuns(folder, 2);
  assert.deepEqual(await readdir(join(folder, 'runs')), names.slice(1));
  deleteOldRuns(await folderOf({})); // no runs yet
});

test('what services of failed runs wrote is deleted, but for the last of them', async () => {
  const names = ['20260101T000000Z-9', '20260102T000000Z-1', '20260103T000000Z-5', '20260104T000000Z-5'];
  const files = Object.fromEntries(names.map((name) => [`runs/${name}/run.json`, '{}']));
  for (const failed of names.slice(0, 3)) files[`runs/${failed}/.scratch/db/rows`] = 'many';
  const folder = await folderOf(files);
  deleteOldScratch(folder);
  const left = await Promise.all(names.map((name) => readdir(join(folder, 'runs', name))));
  assert.deepEqual(left, [['run.json'], ['run.json'], ['.scratch', 'run.json'], ['run.json']]);
  deleteOldScratch(await folderOf({})); // no runs yet
});
