import { startGuard } from '../../dist/base/process/guard.js';
import { portPool } from '../../dist/base/process/ports.js';
import { folderOf } from './cli.js';

/** @import { TestContext } from 'node:test' */

let runs = 0;

/**
 * A run without cases, that is closed after the test.
 * @param {TestContext} context
 * @param {{ port?: number, opened?: (pid: number) => void }} [given]
 */
export async function runIn(context, { port, opened = () => {} } = {}) {
  const folder = await folderOf({});
  runs += 1;
  const id = `test-${process.pid}-${runs}`;
  const guard = startGuard(id, folder);
  /** @type {string[]} */
  const notes = [];
  const run = /** @type {any} */ ({
    id,
    folder,
    env: process.env,
    notes,
    interrupt: { asked: false, signalled: new Promise(() => {}) },
    guard: { ...guard, opened: (/** @type {number} */ pid) => [guard.opened(pid), opened(pid)] },
    progress: {
      note: (/** @type {string} */ text) => notes.push(text),
      step: (/** @type {string} */ title, /** @type {string} */ _log, /** @type {() => unknown} */ work) =>
        [notes.push(title), work()][1],
    },
    ports: port ? { take: async () => port } : portPool(),
    valuesOf: (/** @type {unknown} */ _, ports = {}) => ({ env: process.env, specDir: folder, runDir: folder, ports }),
  });
  context.after(() => {
    guard.killAll();
    guard.close();
  });
  return { run, folder };
}

/** @param {string} program @param {object} [service] */
export const caseWith = (program, service = {}) =>
  /** @type {any} */ ({
    url: 'http://127.0.0.1:${port}',
    hosts: [],
    external: [],
    network: null,
    reuse: [],
    after_ready: [],
    services: [
      {
        name: 'app',
        build: [],
        setup: [],
        command: [process.execPath, '-e', program],
        cwd: '.',
        files: {},
        env: { PORT: '${port}' },
        ready: null,
        ready_timeout: '60s',
        stop_signal: 'SIGTERM',
        stop_timeout: '5s',
        cpus: null,
        sampled: true,
        ...service,
      },
    ],
  });
