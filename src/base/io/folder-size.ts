import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of a block, as stat(2) counts them. */
const block = 512;

/**
 * Measures what the files in a folder take of the disk.
 * @param folder may be missing; files that are deleted meanwhile are left out
 * @returns bytes
 */
export async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    bytes += ((await lstat(path).catch(() => null))?.blocks ?? 0) * block;
    if (entry.isDirectory()) bytes += await bytesIn(path);
  }
  return bytes;
}
