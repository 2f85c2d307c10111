import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes of a block, the unit of the format (POSIX.1-1988 ustar, POSIX.1-2001 pax). */
const block = 512;

/** Larger than any pax header: a larger one is damaged. */
const longestHeader = 1 << 20;

/** A file in a tar archive; from: where its content begins in the archive. */
type Entry = { name: string; from: number; size: number };

/**
 * Finds the files of a tar archive, which may be large: their contents are passed over.
 * @returns by name; content: reads it
 * @throws {Error} it is not an archive, or ends in the middle
 */
export function openTar(path: string): Map<string, Entry & { content: () => Buffer }> {
  const entries = entriesOf((from, length) => readAt(path, from, length));
  return new Map(
    [...entries].map((entry) => [entry.name, { ...entry, content: () => readAt(path, entry.from, entry.size) }]),
  );
}

/** @param read gives less at the end */
function* entriesOf(read: (from: number, length: number) => Buffer): Generator<Entry> {
  let longName: string | null = null;
  for (let at = 0; ; ) {
    const header = read(at, block);
    if (header.length < block || header.every((byte) => byte === 0)) {
      if (at === 0) throw new Error('it is not a tar archive');
      return;
    }
    if (sumOf(header) !== Number.parseInt(textOf(header, 148, 8), 8))
      throw new Error('it is not a tar archive, or damaged');
    const size = Number.parseInt(textOf(header, 124, 12), 8) || 0;
    const from = at + block;
    const type = String.fromCharCode(header[156]);
    if (type === 'x') longName = paxPath(read(from, Math.min(size, longestHeader))) ?? longName;
    else {
      const prefix = textOf(header, 345, 155);
      const name = longName ?? (prefix ? `${prefix}/` : '') + textOf(header, 0, 100);
      if (type === '0' || type === '\0') {
        if (size > 0 && read(from + size - 1, 1).length === 0) throw new Error(`it ends within ${name}`);
        yield { name: name.replace(/^\.\//, ''), from, size };
      }
      longName = null;
    }
    at = from + Math.ceil(size / block) * block;
  }
}

const textOf = (header: Buffer, from: number, length: number) =>
  header
    .toString('utf8', from, from + length)
    .split('\0')[0]
    .trim();

/** The sum of a header's bytes, with blanks where it stands itself. */
const sumOf = (header: Buffer) => header.reduce((sum, byte, i) => sum + (i >= 148 && i < 156 ? 32 : byte), 0);

/** A record of pax: its length in bytes, a blank, key=value, a line feed. */
function paxPath(records: Buffer): string | null {
  for (let at = 0; at < records.length; ) {
    const length = Number.parseInt(records.toString('latin1', at, at + 20), 10);
    if (!(length > 0)) return null;
    const [, value] = records.toString('utf8', at, at + length - 1).match(/^\d+ path=(.*)$/s) ?? [];
    if (value !== undefined) return value;
    at += length;
  }
  return null;
}

/** @returns less at the end */
function readAt(path: string, from: number, length: number): Buffer {
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(fd, buffer, 0, length, from));
  } finally {
    closeSync(fd);
  }
}

/**
 * Makes a tar archive of files.
 * @param files names of 100 bytes at the most
 */
export function tarOf(files: readonly { name: string; content: Buffer }[]): Buffer {
  const blocks = files.flatMap(({ name, content }) => [
    headerOf(name, content.length),
    content,
    Buffer.alloc((block - (content.length % block)) % block),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * block)]);
}

/** @returns of a plain file that everybody may read */
function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(block);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  header.write(name, 0, 100);
  header.write(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0${octal(size, 11)}\0${octal(0, 11)}\0`, 100);
  header.write('0', 156);
  header.write('ustar\u000000', 257, 'latin1');
  header.write(`${octal(sumOf(header), 6)}\0 `, 148);
  return header;
}
