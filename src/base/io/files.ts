import { mkdirSync, mkdtempSync, statfsSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { exitCodes, UserError } from '../errors.js';

/**
 * Writes a file whole or not at all: beside it, to the disk, then renamed over it.
 * @param path its folder is made when it is not there
 * @throws {UserError} code 4: no room, or not allowed
 */
export async function writeWhole(path: string, text: string) {
  const draft = `${path}.${process.pid}.tmp`;
  makeFolder(dirname(path));
  try {
    const file = await open(draft, 'w');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    throw fileError(cause, path);
  }
}

/**
 * Writes a value as JSON, whole or not at all.
 * @throws {UserError} code 4: no room, or not allowed
 */
export const writeJson = (path: string, value: unknown) => writeWhole(path, `${JSON.stringify(value, null, 2)}\n`);

/**
 * Makes a folder and those above it. Not by Node.js's own recursion: on a read-only disk it says that the folder does not
 * exist, and in a folder that takes none, such as /proc, it never ends.
 * @returns the path
 * @throws {UserError} code 4: no room, or not allowed
 */
export function makeFolder(path: string): string {
  if (isFolder(path)) return path;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (cause) {
    if (!isFolder(path)) throw fileError(cause, path); // else another process was faster
  }
  return path;
}

/**
 * Makes a folder for what is needed for a moment, where the system has such things (TMPDIR).
 * @param prefix of its name
 * @returns absolute; whoever asks deletes it
 * @throws {UserError} code 4: the place is not there, is full, or may not be written
 */
export function makeTemporaryFolder(prefix: string = 'benchfolio-'): string {
  const place = tmpdir();
  try {
    return mkdtempSync(join(place, prefix));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw fileError(cause, place);
    throw new UserError(`there is no folder ${place}, where temporary files go`, {
      code: exitCodes.error,
      hint: 'Make it, or set TMPDIR to one that is there.',
      cause,
    });
  }
}

function isFolder(path: string) {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // where it cannot be read, making it says why
  }
}

const freeSpace = 'Free some space, then run again; .bench/runs holds the raw files of old runs and may be deleted.';

/** what a code of the operating system means, and what to do about it */
const meanings: Record<string, [string, string]> = {
  ENOSPC: ['the disk is full', freeSpace],
  EDQUOT: ['your quota on this disk is used up', freeSpace],
  EROFS: ['the disk is read-only', 'Run in a folder that can be written to.'],
  EACCES: ['not allowed to write here', 'Check who owns the folder: was an earlier run started as another user?'],
  ENOENT: ['its folder is gone, or takes no files', 'Is it one of the kernel, such as /proc? Choose another.'],
  ENOTDIR: ['a part of its path is a file', 'Delete that file, or run in another folder.'],
  EEXIST: ['a file of that name is in the way', 'Delete that file, or run in another folder.'],
  EBUSY: ['it is a mount point, or in use', 'Choose a folder below it or elsewhere.'],
  EMFILE: ['too many open files', 'Raise the limit: ulimit -n 65536'],
};

/**
 * What went wrong with a file, for people.
 * @param cause an error of node:fs
 * @returns a UserError of code 4 where the reason lies outside our code, else the cause itself
 */
export function fileError(cause: unknown, path: string): unknown {
  const [what, hint] = meanings[(cause as NodeJS.ErrnoException)?.code ?? ''] ?? [];
  return what ? new UserError(`cannot write ${path}: ${what}`, { code: exitCodes.error, hint, cause }) : cause;
}

/** What a disk may answer at any time, whoever writes. */
const surroundings = ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE'];

/**
 * What an unexpected error says of the disk, for people.
 * @returns a UserError of code 4 where the disk is the cause, else the error itself
 */
export function diskError(error: unknown): unknown {
  const { code = '', path = 'a file' } = (error ?? {}) as NodeJS.ErrnoException;
  return surroundings.includes(code) ? fileError(error, path) : error;
}

/** Less than this is as good as nothing: k6 writes its files whole. */
const least_bytes = 64 * 1024;

/**
 * Says whether a disk is full, where a program could not write and does not say why.
 * @param folder on it
 * @returns a UserError of code 4; null: there is room
 */
export function diskFullError(folder: string): unknown {
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  const full = bavail * bsize < least_bytes || (files > 0 && ffree === 0);
  return full ? fileError(Object.assign(new Error('no space'), { code: 'ENOSPC' }), folder) : null;
}
