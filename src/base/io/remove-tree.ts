import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Removes a folder and all in it, also where parts of it were made read-only.
 * @param path may be nowhere
 * @returns false: some of it is somebody else's, such as of a container's root, and stays
 */
export function removeTree(path: string): boolean {
  if (remove(path)) return true;
  makeWritable(path);
  return remove(path);
}

function remove(path: string) {
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

function makeWritable(folder: string) {
  try {
    chmodSync(folder, 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) makeWritable(join(folder, entry.name));
    }
  } catch {
    // The removal that follows says that it stays.
  }
}
