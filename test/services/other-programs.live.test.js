// Which programs beside ours keep the machine busy: a real one, that is not ours, and tables of processes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readProcess } from '../../dist/base/process/processes.js';
import { clockTicks } from '../../dist/base/process/usage.js';
import { otherPrograms } from '../../dist/run/services/other-programs.js';
import { startSampler } from '../../dist/run/services/sampler.js';
import { startServices } from '../../dist/run/services/services.js';
import { folderOf } from '../support/cli.js';
import { caseWith, runIn } from '../support/services-in.js';

/** @import { TestContext } from 'node:test' */
/** @import { Process } from '../../dist/base/process/processes.js' */

/** @param {number} pid @param {string} name @param {number} cpu_ticks @param {{ ppid?: number, start?: number }} [more] */
const _one = (pid, name, cpu_ticks, { ppid = 1, start = 1 } = {}) => ({
  ...{ pid, name, cpu_ticks, ppid, start },
  session: pid,
  state: 'S',
});

// Answers, and uses a core for some of the time.
const busyServer = `
  require('node:http').createServer((request, response) => response.end()).listen(process.env.PORT, '127.0.0.1');
  setInterval(() => { for (const end = Date.now() + 30; Date.now() < end;); }, 50);`;

const first = 2 ** 23; // no process of this machine

/** @param {Process[][]} tables */
function _busiestIn(...tables) {
  const others = otherPrograms();
  for (const table of tables) others.look(table, [first + 1]);
  return others.busiest().map(({ name, cpu_ms }) => [name, (cpu_ms * clockTicks) / 1000]);
}

/** Uses the CPU under a name of its own, until the test ends. @param {TestContext} context */
async function busyProgram(context) {
  const folder = await folderOf({});
  await copyFile('/bin/sh', join(folder, 'busy-database'));
  // a process of init's: what descends from us is ours
  const parent = spawn('/bin/sh', ['-c', `${join(folder, 'busy-database')} -c 'while :; do :; done' & echo $!`]);
  const pid = Number(String((await once(parent.stdout, 'data'))[0]));
  context.after(() => process.kill(pid));
  parent.stdout.destroy();
  while (readProcess(pid)?.ppid === parent.pid) await pause(10);
  return folder;
}

describe('other programs', () => {
  test('the busiest is found beside what we started, by its name alone', async (context) => {
    const folder = await busyProgram(context);
    const ours = spawn('/bin/sh', ['-c', 'while :; do :; done']);
    context.after(() => ours.kill());
    const sampler = startSampler(join(folder, 'services.ndjson'), []);
    await pause(500);
    const found = sampler.stop();
    assert.ok(found.length <= 3);
    const busy = found.find(({ name }) => name === 'busy-database');
    assert.ok(busy !== undefined && busy.cpu_ms > 50, JSON.stringify(found));
    assert.equal(found.filter(({ name }) => ['sh', 'dash', 'bash'].includes(name)).length, 0, JSON.stringify(found));
  });

  test('what is ours and no part of the load does not count as work of the machine', async (context) => {
    const folder = await folderOf({});
    const ours = spawn('/bin/sh', ['-c', 'while :; do :; done']);
    context.after(() => ours.kill());
    const used = async (/** @type {string} */ file) => {
      const lines = (await readFile(file, 'utf8')).trim().split('\n');
      const [first, last] = [lines[0], lines.at(-1) ?? ''].map((line) => JSON.parse(line).machine.cpu_ns);
      return last - first;
    };
    const [all, without] = ['all', 'without'].map((name) => join(folder, name));
    // The one that counts all is there for longer: it has seen no less.
    const outer = startSampler(all, []);
    const inner = startSampler(without, [], [/** @type {any} */ (ours)]);
    await pause(1000);
    inner.stop();
    outer.stop();
    const [more, less] = [await used(all), await used(without)];
    assert.ok(more - less > 100e6, `${more} and ${less}`);
  });

  test('a service that is not sampled is none of them, and its CPU time stands by itself', async (context) => {
    const { run, folder } = await runIn(context);
    const services = await startServices(caseWith(busyServer), folder, run);
    const file = join(folder, 'services.ndjson');
    const sampler = startSampler(
      file,
      services.list.map((service) => ({ ...service, sampled: false })),
    );
    await pause(500);
    const found = sampler.stop();
    await services.stop();
    assert.deepEqual(
      found.filter(({ name }) => name.startsWith('node')),
      [],
    );
    const lines = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(lines[0].services, {});
    const used = lines.at(-1).unsampled.cpu_ns - lines[0].unsampled.cpu_ns;
    assert.ok(used > 50e6, `${used}`);
  });
});
