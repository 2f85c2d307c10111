import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes of a block, the unit of the format (POSIX.1-1988 ustar, POSIX.1-2001 pax). */
const block = 512;

/** Larger than any pax header: a larger one is damaged. */
const longestHeader = 1 << 20;

/**
 * A file in a tar archive; from: where its content begins in the archive.
 * @typedef {{ name: string, from: number, size: number }} Entry
 */

/**
 * Finds the files of a tar archive, which may be large: their contents are passed over.
 * @param {string} path
 * @returns {Map<string, Entry & { content: () => Buffer }>} by name; content: reads it
 * @throws {Error} it is not an archive, or ends in the middle
 */
export function openTar(path) {
  const entries = entriesOf((from, length) => readAt(path, from, length));
  return new Map(
    [...entries].map((entry) => [entry.name, { ...entry, content: () => readAt(path, entry.from, entry.size) }]),
  );
}

/**
 * @param {(from: number, length: number) => Buffer} read gives less at the end
 * @returns {Generator<Entry>}
 */
function* entriesOf(read) {
  /** @type {string | null} */
  let longName = null;
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

/** @param {Buffer} header @param {number} from @param {number} length */
const textOf = (header, from, length) =>
  header
    .toString('utf8', from, from + length)
    .split('\0')[0]
    .trim();

/** The sum of a header's bytes, with blanks where it stands itself. @param {Buffer} header */
const sumOf = (header) => header.reduce((sum, byte, i) => sum + (i >= 148 && i < 156 ? 32 : byte), 0);

/** A record of pax: its length in bytes, a blank, key=value, a line feed. @param {Buffer} records @returns {string | null} */
function paxPath(records) {
  for (let at = 0; at < records.length; ) {
    const length = Number.parseInt(records.toString('latin1', at, at + 20), 10);
    if (!(length > 0)) return null;
    const [, value] = records.toString('utf8', at, at + length - 1).match(/^\d+ path=(.*)$/s) ?? [];
    if (value !== undefined) return value;
    at += length;
  }
  return null;
}

/** @param {string} path @param {number} from @param {number} length @returns {Buffer} less at the end */
function readAt(path, from, length) {
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
 * @param {readonly { name: string, content: Buffer }[]} files names of 100 bytes at the most
 * @returns {Buffer}
 */
export function tarOf(files) {
  const blocks = files.flatMap(({ name, content }) => [
    headerOf(name, content.length),
    content,
    Buffer.alloc((block - (content.length % block)) % block),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * block)]);
}

/** @param {string} name @param {number} size @returns {Buffer} of a plain file that everybody may read */
function headerOf(name, size) {
  const header = Buffer.alloc(block);
  const octal = (/** @type {number} */ value, /** @type {number} */ digits) => value.toString(8).padStart(digits, '0');
  header.write(name, 0, 100);
  header.write(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0${octal(size, 11)}\0${octal(0, 11)}\0`, 100);
  header.write('0', 156);
  header.write('ustar\u000000', 257, 'latin1');
  header.write(`${octal(sumOf(header), 6)}\0 `, 148);
  return header;
}
