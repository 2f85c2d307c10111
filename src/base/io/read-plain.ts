import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

/** No text that we read is larger; one that has no end would fill the memory. */
const most_bytes = 256 * 2 ** 20;

/** Why a file is not read, as the end of a sentence. */
export class NotPlain extends Error {
  name = 'NotPlain';
}

/**
 * Reads a text that anybody may have put there. A FIFO or a device is not even waited for.
 * @param options links: false: a symbolic link is not followed
 * @throws {NotPlain} it is not a file, a link, or too large
 * @throws {NodeJS.ErrnoException} it is not there, or cannot be read
 */
export function readPlain(path: string, { links = true }: { links?: boolean } = {}): string {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK | (links ? 0 : O_NOFOLLOW));
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw new NotPlain(`is ${kindOf(stat)}, not a file`);
    if (stat.size > most_bytes) {
      throw new NotPlain(`has ${Math.ceil(stat.size / 2 ** 20)} MiB, and at most ${most_bytes / 2 ** 20} MiB are read`);
    }
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function kindOf(stat: Stats) {
  if (stat.isDirectory()) return 'a folder';
  return stat.isFIFO() ? 'a named pipe (FIFO)' : 'a device';
}
