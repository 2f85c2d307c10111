import { existsSync, readdirSync, statSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '../errors.js';
import { makeFolder } from './files.js';

/** What every build makes, and hardly anybody else. */
const marks = ['index.html', 'index.json', 'changes.json'];

/** Whether a build may take the place of a folder: there is none, it is empty, or a build made it. */
export function isReplaceable(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) return true;
  return (
    found.isDirectory() && (readdirSync(folder).length === 0 || marks.every((name) => existsSync(join(folder, name))))
  );
}

/**
 * In many a repository public/ is the service's own.
 * @throws {UserError} it is not the pages of a build before
 */
export function refuseUnknownFolder(folder: string) {
  if (isReplaceable(folder)) return;
  throw new UserError(`${folder} is there, and was not made by a build: it would be replaced`, {
    hint: 'Say where the pages are to go: benchfolio site --folder .bench/public',
  });
}

/**
 * Puts a finished folder in another's place: the old one is whole until the new one is.
 * @param next becomes folder; gone afterwards
 */
export async function replaceFolder(folder: string, next: string) {
  const old = `${next}.old`;
  makeFolder(dirname(folder));
  await move(folder, old).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await move(next, folder);
  await rm(old, { recursive: true, force: true });
}

async function move(from: string, to: string) {
  await rename(from, to).catch(async (error) => {
    if (error.code !== 'EXDEV') throw error; // .bench may be on another disk
    await cp(from, to, { recursive: true });
    await rm(from, { recursive: true, force: true });
  });
}
