import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { linkOrEmpty, namesIn, readOrNull } from './processes.js';

/** What a virtual machine keeps open while it runs it. */
const archive = /\.(jar|war|phar|pyz)$/;

/**
 * Lists the files that processes run: where they stand, their programs, scripts on their command lines, libraries, and archives
 * that are open (proc(5)). What an interpreter has read and closed is not among them.
 * @returns absolute paths, each once
 */
export function runningFiles(processes: readonly { pid: number }[]): string[] {
  return [...new Set(processes.flatMap(({ pid }) => filesOf(pid)))].filter((path) => path.startsWith('/'));
}

/** @returns none: it has ended */
function filesOf(pid: number): string[] {
  const cwd = linkOrEmpty(`/proc/${pid}/cwd`);
  if (cwd === '') return [];
  const words = (readOrNull(`/proc/${pid}/cmdline`) ?? '').split('\0').filter(Boolean);
  const scripts = words.map((word) => resolve(cwd, word)).filter(isFile);
  const mapped = (readOrNull(`/proc/${pid}/maps`) ?? '')
    .split('\n')
    .flatMap((line) => /\s(\/.*)$/.exec(line)?.[1] ?? []);
  const open = namesIn(`/proc/${pid}/fd`)
    .map((name) => linkOrEmpty(`/proc/${pid}/fd/${name}`))
    .filter((file) => archive.test(file));
  return [cwd, linkOrEmpty(`/proc/${pid}/exe`), ...scripts, ...mapped, ...open];
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
