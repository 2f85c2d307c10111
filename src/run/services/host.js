import { endCommand, startCommand } from '../../base/process/command.js';
import { pauseProcesses, resumeProcesses } from '../../base/process/suspend.js';

/** @import { Command, Running } from '../../base/process/command.js' */
/** @import { Log } from '../../base/process/log.js' */
/** @import { Run } from '../run-context.js' */
/** @import { RunningContainer } from './containers/start-container.js' */

/**
 * What a service runs in: a process of its own, or a container (containers/container.js).
 * - start: starts it, again after a fault
 * - end: asks it to stop by a signal (null: that of its image), and kills it when its time is over; late: called then
 * - kill: ends it at once
 * - pause: has it stand still, and gives what lets it go on
 * @typedef {{ start: (log: Log) => Promise<Running | RunningContainer>,
 *   end: (running: Running, how: { signal: NodeJS.Signals | null, timeout_ms: number, late: () => void }) => Promise<unknown>,
 *   kill: (running: Running) => Promise<unknown>, pause: (running: Running) => Promise<() => Promise<void>> }} Host
 */

/**
 * @param {Omit<Command, 'log'>} command
 * @param {Run} run
 * @returns {Host}
 */
export const processHost = (command, run) => ({
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
