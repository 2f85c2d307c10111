import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { killOurs, ourProcesses, readProcess } from './processes.js';

const watchdog = fileURLToPath(new URL('./watchdog.js', import.meta.url));

/** The environment variable that everything a run starts carries: its value is the run's id. */
export const runMarker = 'BENCHFOLIO_RUN';

/**
 * Knows which sessions a run has open, and sees that none is left.
 * @typedef {{ opened: (session: number) => void, ended: (session: number) => void, owns: (pid: number) => boolean,
 *   killAll: () => void, close: () => void }} Guard
 */

/**
 * Starts the watchdog of a run.
 * @param {string} run its id
 * @param {string} folder of the run
 * @returns {Guard}
 */
export function startGuard(run, folder) {
  /** @type {Set<number>} */
  const sessions = new Set();
  const marker = `${runMarker}=${run}`;
  const kin = { sessions, marker, writesTo: `${folder}/`, since: readProcess(process.pid)?.start ?? 0 };
  const child = spawn(process.execPath, [watchdog, marker, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => {}); // without it a run still cleans up, unless it is killed
  child.stdin.on('error', () => {});
  child.unref();
  const send = (/** @type {string} */ line) => void child.stdin.write(`${line}\n`);
  return {
    opened(session) {
      sessions.add(session);
      send(`+${session}`);
    },
    ended(session) {
      sessions.delete(session);
      send(`-${session}`);
    },
    owns: (pid) => ourProcesses(kin).some((candidate) => candidate.pid === pid),
    killAll: () => void killOurs(kin),
    close: () => void child.stdin.end(),
  };
}
