import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program that could not be started, ended with another code than 0, or took too long. */
export class ExecError extends Error {
  stdout: string;
  stderr: string;
  missing: boolean;
  late: boolean;

  /** @param ended missing: there is no such program; late: it was killed when its time was over */
  constructor(
    message: string,
    {
      stdout,
      stderr,
      missing = false,
      late = false,
      cause,
    }: { stdout: string; stderr: string; missing?: boolean; late?: boolean; cause?: unknown },
  ) {
    super(message, { cause });
    this.stdout = stdout;
    this.stderr = stderr;
    this.missing = missing;
    this.late = late;
  }
}

/** Milliseconds that a program may take, where nothing else is said: none of those that we call takes minutes. */
const usualLimit_ms = 600_000;

/**
 * Calls a program and waits for its end. Its arguments are data, never a shell's. For programs that answer and end:
 * src/base/process/ starts those that must be watched.
 * @param program a path, or a name on PATH
 * @param options env: all of it; detached: a terminal's Ctrl-C is not for it, but for us to decide; onLine: gets each line of
 *   standard error
 * @returns standard output
 * @throws {ExecError}
 */
export function exec(
  program: string,
  args: string[],
  {
    cwd,
    env,
    input = '',
    timeout_ms = usualLimit_ms,
    detached,
    onLine,
  }: {
    cwd?: string;
    env?: NodeJS.ProcessEnv;
    input?: string;
    timeout_ms?: number;
    detached?: boolean;
    onLine?: (line: string) => void;
  } = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, detached });
    // Not spawn's own timeout: it goes on, and holds the process, where there is no such program.
    const timer = setTimeout(() => child.kill('SIGKILL'), timeout_ms);
    const [out, err] = [[] as Buffer[], [] as Buffer[]];
    const fail = (message: string, why: object) => {
      const [stdout, stderr] = [out, err].map((parts) => Buffer.concat(parts).toString().trim());
      reject(new ExecError(message, { stdout, stderr, ...why }));
    };
    child.stdout.on('data', (part) => out.push(part));
    child.stderr.on('data', (part) => err.push(part));
    if (onLine) createInterface({ input: child.stderr }).on('line', onLine);
    child.on('error', (cause) => {
      clearTimeout(timer);
      fail(cause.message, { missing: 'code' in cause && cause.code === 'ENOENT', cause });
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(out));
      else if (child.killed) fail(`${program} did not end within ${timeout_ms / 1000} s`, { late: true });
      else fail(`${program} ended with ${signal ?? code}`, {});
    });
    child.stdin.on('error', () => {}); // it has ended before it read all: its exit code says more
    child.stdin.end(input);
  });
}
