import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { makeFolder } from '../../base/io/files.js';
import { packageRoot } from '../../base/tools/find-tool.js';
import type { Suite } from '../../suite/suite.js';

/** Where templates, styles, charts and written pages come from: a suite's site/ shadows ours. */
export function foldersOf({ root }: Suite): string[] {
  const [theirs, ours] = [join(root, 'site'), join(packageRoot, 'site')];
  return theirs !== ours && statSync(theirs, { throwIfNoEntry: false })?.isDirectory() ? [theirs, ours] : [ours];
}

/**
 * To Hugo a folder with an index.md is one page, and what lies beside it are its parts: all other pages would be gone.
 * @throws {UserError}
 */
export function refuseBundle({ root }: Suite) {
  const file = join(root, 'site', 'content', 'index.md');
  if (!existsSync(file)) return;
  throw new UserError(`${file} would take the place of every page`, {
    hint: 'Call it _index.md: then its text stands on the first page.',
  });
}

/** A folder for this build alone; folders of builds that were killed are deleted. */
export async function workFolder(parent: string) {
  makeFolder(parent);
  for (const left of await readdir(parent)) {
    if (!isRunning(Number(left))) await rm(join(parent, left), { recursive: true, force: true });
  }
  const folder = join(parent, String(process.pid));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  return folder;
}

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
