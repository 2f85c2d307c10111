import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { killOurs, ourProcesses, readProcess } from './processes.js';

const watchdog = fileURLToPath(new URL('./watchdog.js', import.meta.url));

/** The environment variable that everything a run starts carries: its value is the run's id. */
export const runMarker = 'BENCHFOLIO_RUN';

/** Knows which sessions a run has open, and sees that none is left. */
export type Guard = {
  opened: (session: number) => void;
  ended: (session: number) => void;
  owns: (pid: number) => boolean;
  killAll: () => void;
  close: () => void;
};

/**
 * Starts the watchdog of a run.
 * @param run its id
 * @param folder of the run
 */
export function startGuard(run: string, folder: string): Guard {
  const sessions: Set<number> = new Set();
  const marker = `${runMarker}=${run}`;
  const kin = { sessions, marker, writesTo: `${folder}/`, since: readProcess(process.pid)?.start ?? 0 };
  const child = spawn(process.execPath, [watchdog, marker, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => {}); // without it a run still cleans up, unless it is killed
  child.stdin.on('error', () => {});
  child.unref();
  const send = (line: string) => void child.stdin.write(`${line}\n`);
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
