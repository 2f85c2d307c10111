import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { CaseFailure, Interrupted } from './failure.js';
import { type Guard, runMarker } from './guard.js';
import type { Interrupt } from './interrupt.js';
import type { Log } from './log.js';
import { killOurs, ourProcesses, type Process, readProcess, signalProcess } from './processes.js';

/** The environment variable that tells the processes of one command from those of another. */
const commandMarker = 'BENCHFOLIO_COMMAND';
let commands = 0;

/**
 * What to start: a program and its arguments (never a shell's line), where, with what, and where its output goes.
 * `title` is its name in messages; `pipe`: standard output is ours to read, not the log's; `from`, `into`: descriptors of files
 * that it reads and writes as its standard input and output.
 */
export type Command = {
  name: string;
  title?: string;
  argv: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  cpus?: string | null;
  log: Log;
  pipe?: boolean;
  from?: number;
  into?: number;
};

/**
 * A process in a session of its own. `exit` is null as long as it runs; read: all that it printed was read, too, after its end.
 */
export type Exit = { code: number | null; signal: NodeJS.Signals | null };

export type Running = {
  name: string;
  pid: number;
  start: number;
  marker: string;
  child: ChildProcess;
  log: Log;
  exit: Exit | null;
  exited: Promise<Exit>;
  read: Promise<unknown>;
  processes: () => Process[];
  killAll: () => void;
};

/** The run that starts it. */
type Owner = { id: string; guard: Guard; interrupt: Interrupt };

/**
 * Starts a command, without a shell, in its own session: a Ctrl-C at the terminal reaches only us, and all that it
 * starts can be found again.
 * @throws {CaseFailure} it cannot be started; its log is closed then
 */
export async function startCommand(
  { name, title = name, argv, cwd, env, cpus, log, pipe = false, from, into }: Command,
  run: Owner,
): Promise<Running> {
  commands += 1;
  const marker = `${commandMarker}=${run.id}/${commands}`;
  const [program, ...args] = cpus ? ['taskset', '-c', cpus, ...argv] : argv;
  const child = spawn(program, args, {
    cwd,
    detached: true,
    stdio: [from ?? 'ignore', into ?? (pipe ? 'pipe' : log.stdio[0]), ...log.stdio.slice(1)],
    env: { ...env, [runMarker]: run.id, ...Object.fromEntries([marker.split('=')]) },
  });
  const { pid } = child;
  if (pid === undefined) {
    log.close();
    throw notStarted(title, program, cwd, (await once(child, 'error'))[0]);
  }
  run.guard.opened(pid);
  log.attach(pipe ? [child.stderr] : [child.stdout, child.stderr]);
  const start = readProcess(pid)?.start ?? 0;
  const kin = { sessions: [pid], marker, writesTo: log.path, since: start };
  const running: Running = {
    name,
    pid,
    start,
    marker,
    child,
    log,
    exit: null,
    exited: once(child, 'exit').then(([code, signal]) => (running.exit = { code, signal })),
    read: once(child, 'close'),
    processes: () => ourProcesses(kin),
    killAll() {
      killOurs(kin);
      run.guard.ended(pid);
    },
  };
  return running;
}

/** Milliseconds that a build or another step may take. */
const longestCommand_ms = 3_600_000;

/**
 * Runs a command to its end, and ends what it left behind.
 * @param command its log is closed
 * @param options timeout_ms: how long it may take; started: called when it runs
 * @throws {CaseFailure} it cannot be started, does not end, or ends with an error
 * @throws {Interrupted} the run was interrupted
 */
export async function runCommand(
  command: Command,
  run: Owner,
  { timeout_ms = longestCommand_ms, started }: { timeout_ms?: number; started?: (running: Running) => void } = {},
) {
  const running = await startCommand(command, run);
  started?.(running);
  const timer = new AbortController();
  const late = sleep(timeout_ms, true, { signal: timer.signal }).catch(() => false);
  const endless = await Promise.race([running.exited, run.interrupt.signalled, late]);
  timer.abort();
  const exit = await endCommand(running, 'SIGTERM', 3000);
  await untilRead(running);
  command.log.close();
  if (run.interrupt.asked) throw new Interrupted();
  const line = command.argv.join(' ');
  if (endless === true) {
    const why = `did not end within ${timeout_ms / 1000} s`;
    throw new CaseFailure(`${command.name} failed: \`${line}\` ${why}`, { log: command.log });
  }
  if (exit.code !== 0) {
    throw new CaseFailure(`${command.name} failed: \`${line}\` ${showExit(exit)}`, { log: command.log });
  }
}

/**
 * Waits for its last words: its end may be known before them. Not for long, since a process that is none of ours may hold its
 * output open; and not by the clock alone: when this process stood still, they wait to be read in the next turn of its loop.
 */
async function untilRead({ read }: Running) {
  let isRead = false;
  const done = read.then(() => (isRead = true));
  for (let waited = 0; waited < grace_ms && !isRead; waited += turn_ms) await Promise.race([done, sleep(turn_ms)]);
}

const turn_ms = 20;

/** Milliseconds that what a command started has to end, after the command itself has. */
const grace_ms = 500;

/**
 * Ends a command and all that it started: a signal to its whole group, as systemd does, time to end, then SIGKILL.
 * @param running may have ended already
 * @param timeout_ms how long it has
 * @param late called when that was not enough
 */
export async function endCommand(
  running: Running,
  signal: NodeJS.Signals,
  timeout_ms: number,
  late: () => void = () => {},
): Promise<Exit> {
  signalProcess(-running.pid, signal);
  const timer = new AbortController();
  await Promise.race([running.exited, sleep(timeout_ms, null, { signal: timer.signal }).catch(() => null)]);
  timer.abort();
  if (!running.exit) late();
  const until = performance.now() + grace_ms;
  while (running.exit && running.processes().length > 0 && performance.now() < until) await sleep(20);
  running.killAll();
  return running.exited;
}

/**
 * How a process ended, for people.
 * @returns "ended with exit code 1", "was killed by SIGKILL"
 */
export const showExit = ({ code, signal }: Exit): string =>
  signal ? `was killed by ${signal}` : `ended with exit code ${code}`;

function notStarted(title: string, program: string, cwd: string, cause: NodeJS.ErrnoException) {
  // Node.js says that the program is missing (ENOENT) when it is the working folder that is.
  const where = statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ? null : `its folder ${cwd} does not exist`;
  const what = where ?? (cause.code === 'ENOENT' ? `there is no program "${program}" on PATH` : cause.message);
  const hint = program === 'taskset' ? '`cpus` needs taskset, of the package util-linux.' : undefined;
  return new CaseFailure(`${title} cannot be started: ${what}`, { hint, cause });
}
