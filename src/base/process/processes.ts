import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * A process as /proc/<pid>/stat has it. `start` is in clock ticks since the machine booted: with the pid it tells a
 * process from a later one that was given the same number. `cpu_ticks`: the CPU time of all its threads so far.
 */
export type Process = {
  pid: number;
  name: string;
  state: string;
  ppid: number;
  session: number;
  start: number;
  cpu_ticks: number;
};

/**
 * What makes a process one of ours: any of
 * - its session is one that we opened,
 * - its environment has the marker (`NAME=value`),
 * - it holds a file open for writing whose path starts with `writesTo` (a daemon that left the session and wiped its
 *   environment still has its log),
 * - its parent is one of ours.
 * None that started before `since` (clock ticks since boot) is, nor `spared`.
 */
type Kin = { sessions?: Iterable<number>; marker: string; writesTo?: string; since?: number; spared?: number };

/**
 * Reads /proc/<pid>/stat (proc(5)).
 * @returns null: there is no such process (any more)
 */
export function readProcess(pid: number | string): Process | null {
  const text = readOrNull(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The name may hold spaces and parentheses: the last ")" ends it.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  return {
    pid: Number(pid),
    name: text.slice(text.indexOf('(') + 1, end),
    state: fields[0],
    ppid: Number(fields[1]),
    session: Number(fields[3]),
    start: Number(fields[19]),
    cpu_ticks: Number(fields[11]) + Number(fields[12]),
  };
}

/** Whether the process of that number is still the one that started then, and not a zombie. */
export function isAlive(pid: number, start: number) {
  const found = readProcess(pid);
  return found !== null && found.start === start && !hasEnded(found);
}

/** A zombie (Z) only waits for its parent to hear of it. */
const hasEnded = ({ state }: Process) => state === 'Z' || state === 'X';

/**
 * All processes.
 * @returns pids
 */
export const pids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** The living processes that are ours. */
export function ourProcesses({ sessions = [], marker, writesTo, since = 0, spared }: Kin): Process[] {
  const opened = new Set(sessions);
  const table = pids()
    .map(readProcess)
    .filter((found) => found !== null);
  const excluded = new Set([process.pid, spared]);
  const living = table.filter(
    (candidate) => !hasEnded(candidate) && !excluded.has(candidate.pid) && candidate.start >= since,
  );
  const isOurs = ({ pid, session }: Process) =>
    opened.has(session) || hasMarker(pid, marker) || (writesTo !== undefined && holdsOpen(pid, writesTo));
  const ours = new Map(living.filter(isOurs).map((found) => [found.pid, found]));
  for (let grown = -1; grown !== ours.size; ) {
    grown = ours.size;
    for (const found of living) if (ours.has(found.ppid)) ours.set(found.pid, found);
  }
  return [...ours.values()];
}

/**
 * Kills (SIGKILL) all processes that are ours, again until none is left: one may be starting another meanwhile.
 * @returns those that were killed
 */
export function killOurs(kin: Kin): Process[] {
  const killed: Map<number, Process> = new Map();
  for (let tries = 0; tries < 200; tries += 1) {
    const found = ourProcesses(kin).filter((candidate) => signalProcess(candidate.pid, 'SIGKILL'));
    if (found.length === 0) break;
    for (const survivor of found) killed.set(survivor.pid, survivor);
    pause(5);
  }
  return [...killed.values()];
}

/**
 * Sends a signal.
 * @param pid negative: to its group
 * @returns false: there is no such process, or it is not ours to signal
 */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/**
 * Whether a process was started with this in its environment.
 * @param marker NAME=value
 */
export const hasMarker = (pid: number, marker: string) =>
  `\0${readOrNull(`/proc/${pid}/environ`) ?? ''}\0`.includes(`\0${marker}\0`);

/** @param prefix of a path */
function holdsOpen(pid: number, prefix: string) {
  return namesIn(`/proc/${pid}/fd`).some((name) => {
    if (!linkOrEmpty(`/proc/${pid}/fd/${name}`).startsWith(prefix)) return false;
    const flags = readOrNull(`/proc/${pid}/fdinfo/${name}`)?.match(/^flags:\s+(\d+)/m)?.[1] ?? '0';
    return (parseInt(flags, 8) & 3) !== 0; // O_ACCMODE: somebody who only reads a log (tail -f) is left alone
  });
}

/** @param milliseconds the event loop stands still: only for the few of killing */
function pause(milliseconds: number) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

export function readOrNull(file: string) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null; // it has ended meanwhile, or belongs to somebody else
  }
}

export function namesIn(folder: string) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function linkOrEmpty(path: string) {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
