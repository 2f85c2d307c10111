import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program that could not be started, ended with another code than 0, or took too long. */
export class ExecError extends Error {
  /**
   * @param {string} message
   * @param {{ stdout: string, stderr: string, missing?: boolean, late?: boolean, cause?: unknown }} ended missing: there is
   *   no such program; late: it was killed when its time was over
   */
  constructor(message, { stdout, stderr, missing = false, late = false, cause }) {
    super(message, { cause });
    this.stdout = stdout;
    this.stderr = stderr;
    this.missing = missing;
    this.late = late;
  }
}

/**
 * Calls a program and waits for its end. Its arguments are data, never a shell's. For programs that answer and end:
 * src/process/ starts those that must be watched.
 * @param {string} program a path, or a name on PATH
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, input?: string, timeout_ms?: number,
 *   onLine?: (line: string) => void }} [options] env: all of it; onLine: is told each line of standard error
 * @returns {Promise<Buffer>} standard output
 * @throws {ExecError}
 */
export function exec(program, args, { cwd, env, input = '', timeout_ms, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, timeout: timeout_ms, killSignal: 'SIGKILL' });
    const [out, err] = [/** @type {Buffer[]} */ ([]), /** @type {Buffer[]} */ ([])];
    const fail = (/** @type {string} */ message, /** @type {object} */ why) => {
      const [stdout, stderr] = [out, err].map((parts) => Buffer.concat(parts).toString().trim());
      reject(new ExecError(message, { stdout, stderr, ...why }));
    };
    child.stdout.on('data', (part) => out.push(part));
    child.stderr.on('data', (part) => err.push(part));
    if (onLine) createInterface({ input: child.stderr }).on('line', onLine);
    child.on('error', (cause) => fail(cause.message, { missing: 'code' in cause && cause.code === 'ENOENT', cause }));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(out));
      else fail(`${program} ended with ${signal ?? code}`, { late: child.killed });
    });
    child.stdin.on('error', () => {}); // it has ended before it read all: its exit code says more
    child.stdin.end(input);
  });
}
