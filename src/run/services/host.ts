import { type Command, endCommand, type Running, startCommand } from '../../base/process/command.js';
import type { Log } from '../../base/process/log.js';
import { pauseProcesses, resumeProcesses } from '../../base/process/suspend.js';
import type { Run } from '../run-context.js';
import type { RunningContainer } from './containers/start-container.js';

/**
 * What a service runs in: a process of its own, or a container (containers/container.ts).
 * - start: starts it, again after a fault
 * - end: asks it to stop by a signal (null: that of its image), and kills it when its time is over; late: called then
 * - kill: ends it at once
 * - pause: has it stand still, and gives what lets it go on
 */
export type Host = {
  start: (log: Log) => Promise<Running | RunningContainer>;
  end: (
    running: Running,
    how: { signal: NodeJS.Signals | null; timeout_ms: number; late: () => void },
  ) => Promise<unknown>;
  kill: (running: Running) => Promise<unknown>;
  pause: (running: Running) => Promise<() => Promise<void>>;
};

export const processHost = (command: Omit<Command, 'log'>, run: Run): Host => ({
  start: (log) => startCommand({ ...command, log }, run),
  end: (running, { signal, timeout_ms, late }) => endCommand(running, signal ?? 'SIGTERM', timeout_ms, late),
  async kill(running) {
    running.killAll();
    await running.exited;
  },
  async pause(running) {
    const paused = pauseProcesses(running);
    return async () => resumeProcesses(paused);
  },
});
