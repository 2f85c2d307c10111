import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { exitCodes, UserError } from '../errors.js';

/** File systems behind which is another machine or program: these may not answer, and a call of Node.js would wait for good. */
const foreign = /^(nfs|cifs|smb|fuse|9p|ceph|afs|lustre|autofs|gluster|davfs|gpfs|beegfs|virtiofs)/;

/**
 * Refuses to go on with a folder on a disk of another machine or program that does not answer: nothing that reads it
 * would end. Disks of this machine are not asked.
 * @param folders absolute
 * @param options mounts: as /proc/self/mounts; ask: whether a folder answers in time
 * @throws {UserError} code 4: one of them does not answer
 */
export async function refuseDead(
  folders: readonly (string | undefined)[],
  {
    wait_ms = 10_000,
    mounts = mountTable(),
    ask = answers,
  }: { wait_ms?: number; mounts?: string; ask?: typeof answers } = {},
) {
  for (const folder of new Set(folders)) {
    if (!folder) continue;
    const mount = mountOf(resolve(folder), mounts);
    if (mount === null || !foreign.test(mount.type) || (await ask(folder, wait_ms))) continue;
    throw new UserError(
      `${folder} does not answer: nothing came from ${mount.place} (${mount.type}) in ${wait_ms / 1000} s`,
      {
        code: exitCodes.error,
        hint: 'Mount it again, or work elsewhere: HOME and XDG_CACHE_HOME say where Benchfolio keeps what it builds and checks out.',
      },
    );
  }
}

/** @returns '' where the system has none */
function mountTable(): string {
  try {
    return readFileSync('/proc/self/mounts', 'utf8');
  } catch {
    return '';
  }
}

/**
 * Finds the mount that a path is on, by its text: to resolve links would be to ask the disk.
 * @param path absolute
 */
function mountOf(path: string, mounts: string): { place: string; type: string } | null {
  const found = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .filter((fields) => fields.length > 2)
    .map(([, file, type]) => ({
      place: file.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8))),
      type,
    }))
    .filter(({ place }) => path === place || path.startsWith(place === '/' ? '/' : `${place}/`));
  const longest = Math.max(...found.map(({ place }) => place.length));
  return found.findLast(({ place }) => place.length === longest) ?? null; // one may be mounted over another
}

/** Asks by another process: one that waits for a dead disk cannot be killed, and is left to it. */
const answers = (folder: string, wait_ms: number): Promise<boolean> =>
  new Promise((done) => {
    const child = spawn('ls', ['-d', '--', folder], { stdio: 'ignore' });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      child.unref();
      done(false);
    }, wait_ms);
    const ended = () => {
      clearTimeout(timer);
      done(true);
    };
    child.on('exit', ended).on('error', ended);
  });
