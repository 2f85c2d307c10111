import { isAlive, signalProcess } from './processes.js';

/** @import { Running } from './command.js' */
/** @import { Process } from './processes.js' */

/** Processes may start others until they stand still themselves: so often it is looked for new ones. */
const looks = 20;

/**
 * Has a command and all that it started stand still.
 * @param {Pick<Running, 'processes'>} running
 * @returns {Process[]} who does
 */
export function pauseProcesses(running) {
  /** @type {Map<number, Process>} */
  const paused = new Map();
  for (let look = 0; look < looks; look += 1) {
    const others = running.processes().filter(({ pid }) => !paused.has(pid));
    if (others.length === 0) break;
    for (const candidate of others) {
      signalProcess(candidate.pid, 'SIGSTOP');
      paused.set(candidate.pid, candidate);
    }
  }
  return [...paused.values()];
}

/** @param {readonly Process[]} paused */
export function resumeProcesses(paused) {
  for (const { pid, start } of paused) if (isAlive(pid, start)) signalProcess(pid, 'SIGCONT');
}
