import { readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileError, makeFolder } from '../../base/io/files.js';
import { packageRoot } from '../../base/tools/find-tool.js';

/**
 * Links `.bench/benchfolio` of a suite to this package: a scenario's script imports it from there, in any checkout and
 * whatever is installed in it, and so gets the driver that measures it.
 * @param root the suite's
 * @throws a UserError, code 4: no room, or not allowed
 */
export function linkPackage(root: string) {
  const link = join(makeFolder(join(root, '.bench')), 'benchfolio');
  if (targetOf(link) === packageRoot) return;
  const draft = `${link}.${process.pid}.tmp`;
  try {
    symlinkSync(packageRoot, draft);
    renameSync(draft, link); // another duet may use the same checkout
  } catch (cause) {
    rmSync(draft, { force: true });
    throw fileError(cause, link);
  }
}

/** @returns null: there is none */
function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}
