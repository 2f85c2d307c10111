import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { main } from '../../dist/cli/cli.js';
import { makeQuiet, quietArguments } from './quiet.js';
import { scratchFolder } from './scratch.js';
import { until } from './until.js';

/** @import { ChildProcess } from 'node:child_process' */

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** What a command did. @typedef {{ code: number | null, stdout: string, stderr: string }} CliOutcome */

/**
 * Runs a command within this process: all that measures nothing.
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined> }} [options] env is added to ours; PATH is that of this process
 */
export const benchfolio = (args, { cwd = root, env = {} } = {}) =>
  mainIn(args, { cwd, env: { ...process.env, ...env } });

/**
 * Runs a command within this process, with this environment and no other.
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} where
 * @returns {Promise<CliOutcome>}
 */
export async function mainIn(args, where) {
  const said = { stdout: '', stderr: '' };
  const stream = (/** @type {'stdout' | 'stderr'} */ name) =>
    new Writable({
      write: (chunk, _, done) => {
        said[name] += chunk;
        done();
      },
    });
  const code = await main(args, { ...where, stdin: process.stdin, stdout: stream('stdout'), stderr: stream('stderr') });
  return { code, ...said };
}

/**
 * Starts a command in a process of its own, as a person would: what measures is distinguished by its process.
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined> }} [options] env is added to ours
 * @returns {{ child: ChildProcess, done: Promise<CliOutcome>,
 *   says: (pattern: RegExp) => Promise<boolean> }} says: waits until it says this to stderr
 */
export function startBenchfolio(args, { cwd = root, env = {} } = {}) {
  const child = spawn(process.execPath, [...quietArguments(cwd), join(root, 'dist', 'cli', 'bin.js'), ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  /** @type {Promise<CliOutcome>} */
  const done = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
  const says = (/** @type {RegExp} */ pattern) =>
    until(
      () => pattern.test(stderr),
      () => `it did not say ${pattern}: ${stderr}`,
    );
  return { child, done, says };
}

/** Runs a command in a process of its own. @param {Parameters<typeof startBenchfolio>} how */
export const spawnBenchfolio = (...how) => startBenchfolio(...how).done;

/**
 * A new folder with these files in it, outside the repository; a suite is quiet (quiet.js).
 * @param {Record<string, string>} files path: text
 * @returns {Promise<string>} its path
 */
export async function folderOf(files) {
  const folder = scratchFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  if ('bench.toml' in files) makeQuiet(folder);
  return folder;
}
