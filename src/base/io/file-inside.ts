import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * Reads a file that a suite names. It must lie in the folder that it is named in, where links lead too: what somebody
 * else's pull request names is shown on pages.
 * @param file relative to it
 * @param most how many bytes are read, from its beginning
 * @returns bytes: of the whole file; missing: no such file, or none that can be read
 */
export function readInside(
  folder: string,
  file: string,
  most: number,
): { data: Buffer; bytes: number } | 'missing' | 'outside' {
  try {
    const path = realpathSync(join(folder, file));
    if (!path.startsWith(realpathSync(folder) + sep)) return 'outside';
    return beginningOf(path, most) ?? 'missing';
  } catch {
    return 'missing';
  }
}

function beginningOf(path: string, most: number) {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return null;
    const data = Buffer.alloc(Math.min(stat.size, most));
    return { data: data.subarray(0, readSync(descriptor, data)), bytes: stat.size };
  } finally {
    closeSync(descriptor);
  }
}
