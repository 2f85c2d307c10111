import { fork, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** @import { ChildProcess } from 'node:child_process' */

/**
 * @typedef {object} DriverSide
 * @property {string} name
 * @property {(port: number) => string[]} args of `k6 run`
 * @property {Record<string, string>} [env]
 */

/**
 * Runs several k6 processes on one core, against one server on another, taking turns of a tenth of a second in random
 * order: what a neighbour on the machine takes away, it takes from all of them, so the ratios of their costs hold where
 * absolute numbers move by a third. They do not run at the same time, for then they would share the caches.
 * @param {string} k6
 * @param {DriverSide[]} sides each runs on until it is ended
 * @param {number} seconds of each
 * @returns {Promise<number[]>} requests per CPU second of each side
 */
export async function duet(k6, sides, seconds) {
  const server = await startServer(sides.length);
  const runs = sides.map(({ args, env }, i) => start(k6, args(server.ports[i]), env));
  const ended = runs.map(({ child }) => new Promise((done) => child.once('close', done)));
  const end = () => {
    for (const { child } of runs) child.kill('SIGKILL'); // one that is stopped would stay for ever
  };
  const leave = () => process.exit(1);
  process.once('exit', end).once('SIGINT', leave).once('SIGTERM', leave);
  try {
    await server.warm(1000).catch((/** @type {Error} */ error) => {
      throw new Error(`${error.message}: ${runs.map(({ errors }) => errors()).join('\n')}`);
    });
    for (const { child } of runs) child.kill('SIGSTOP');
    await sleep(50); // answers that are on their way
    const used = runs.map(({ child }) => -cpuOf(child.pid));
    const before = await server.counts();
    for (let turn = 0; turn < seconds * 10; turn += 1) await takeTurns(runs);
    const after = await server.counts();
    return sides.map((_, i) => (after[i] - before[i]) / (used[i] + cpuOf(runs[i].child.pid)));
  } finally {
    end();
    process.off('exit', end).off('SIGINT', leave).off('SIGTERM', leave);
    await Promise.all(ended);
    server.stop();
  }
}

/** @param {{ child: ChildProcess }[]} runs */
async function takeTurns(runs) {
  const order = runs.map((run) => ({ run, at: Math.random() })).sort((a, b) => a.at - b.at);
  for (const {
    run: { child },
  } of order) {
    child.kill('SIGCONT');
    await sleep(100);
    child.kill('SIGSTOP');
  }
}

/** @param {string} k6 @param {string[]} args @param {Record<string, string>} [env] */
function start(k6, args, env) {
  const child = spawn('taskset', ['-c', '0', k6, 'run', '--quiet', '--no-usage-report', ...args], {
    env: { ...process.env, K6_AUTO_EXTENSION_RESOLUTION: 'false', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => (text = (text + chunk).slice(-2000)));
  return { child, errors: () => text.trim() };
}

/** @param {number} count of ports */
async function startServer(count) {
  const child = fork(fileURLToPath(new URL('server.js', import.meta.url)), Array.from({ length: count }, String));
  if (availableParallelism() > 1) spawn('taskset', ['-pc', '1', String(child.pid)], { stdio: 'ignore' });
  /** @type {number[]} */
  const ports = [];
  await new Promise((done) => {
    child.on('message', (/** @type {any} */ { index, port }) => {
      if (port) ports[index] = port;
      if (Object.keys(ports).length === count) done(ports);
    });
  });
  const counts = () =>
    new Promise((/** @type {(counts: number[]) => void} */ done) => {
      const listen = (/** @type {any} */ message) => {
        if (!message.counts) return;
        child.off('message', listen);
        done(message.counts);
      };
      child.on('message', listen);
      child.send('counts');
    });
  const warm = async (/** @type {number} */ requests) => {
    for (let tries = 0; Math.min(...(await counts())) < requests; tries += 1) {
      if (tries > 100) throw new Error('a k6 process does not send');
      await sleep(100);
    }
  };
  return { ports, counts, warm, stop: () => child.disconnect() };
}

/**
 * The CPU time of a process: nanosecond accounting of its threads. Go keeps its threads, so none is lost in a window.
 * @param {number | undefined} pid
 * @returns {number} seconds
 */
function cpuOf(pid) {
  const used = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return used.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e9;
}
