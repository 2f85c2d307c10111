import type { Running } from './command.js';
import { isAlive, type Process, signalProcess } from './processes.js';

/** Processes may start others until they stand still themselves: so often it is looked for new ones. */
const looks = 20;

/**
 * Has a command and all that it started stand still.
 * @returns who does
 */
export function pauseProcesses(running: Pick<Running, 'processes'>): Process[] {
  const paused: Map<number, Process> = new Map();
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

export function resumeProcesses(paused: readonly Process[]) {
  for (const { pid, start } of paused) if (isAlive(pid, start)) signalProcess(pid, 'SIGCONT');
}
