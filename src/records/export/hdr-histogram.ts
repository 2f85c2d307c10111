import { deflateSync } from 'node:zlib';

/**
 * HdrHistogram's compressed encoding, version 2 (AbstractHistogram.encodeIntoCompressedByteBuffer of HdrHistogram 2.2.2), of three
 * significant digits. There is a package for it, of 2 MB with a WebAssembly module; the tests read with it what this writes.
 */

/** Of three digits: 2,000 values and more have a resolution of one. */
const halfBits = 10;
const subBuckets = 2 ** (halfBits + 1);
const digits = 3;

/**
 * @param steps values: whole numbers above 0 and below 2^53, ascending
 * @returns base64
 */
export function encoded(steps: readonly { value: number; count: number }[]): string {
  const counts = countsOf(steps);
  const payload = Buffer.concat(runsOf(counts).map(zigZag));
  const header = Buffer.alloc(40);
  header.writeInt32BE(0x1c849303 | 0x10, 0);
  header.writeInt32BE(payload.length, 4);
  header.writeInt32BE(0, 8); // no offset
  header.writeInt32BE(digits, 12);
  header.writeBigInt64BE(1n, 16); // the smallest value but zero
  header.writeBigInt64BE(BigInt(Math.max(2 * subBuckets, steps.at(-1)?.value ?? 0)), 24);
  header.writeDoubleBE(1, 32);
  const packed = deflateSync(Buffer.concat([header, payload]));
  const outer = Buffer.alloc(8);
  outer.writeInt32BE(0x1c849304 | 0x10, 0);
  outer.writeInt32BE(packed.length, 4);
  return Buffer.concat([outer, packed]).toString('base64');
}

/** @returns by index of a bucket, ascending */
function countsOf(steps: readonly { value: number; count: number }[]): Map<number, number> {
  const counts: Map<number, number> = new Map();
  for (const { value, count } of steps) counts.set(indexOf(value), (counts.get(indexOf(value)) ?? 0) + count);
  return counts;
}

/** The bucket that a value falls into (AbstractHistogram.countsArrayIndex). */
function indexOf(value: number) {
  const bucket = Math.max(0, Math.floor(Math.log2(value)) - halfBits);
  const isOver = 2 ** (bucket + halfBits + 1) <= value; // a logarithm that was rounded down
  const at = bucket + Number(isOver);
  return (at + 1) * 2 ** halfBits + Math.floor(value / 2 ** at) - 2 ** halfBits;
}

/** Counts in a row; of those that are zero, how many, with a minus. */
function runsOf(counts: Map<number, number>): bigint[] {
  const runs = [];
  let next = 0;
  for (const [index, count] of counts) {
    if (index > next) runs.push(BigInt(next - index));
    runs.push(BigInt(count));
    next = index + 1;
  }
  return runs;
}

/** LEB128 of at most nine bytes, signed by zigzag (ZigZagEncoding.java). */
function zigZag(value: bigint) {
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  const bytes = [];
  for (let i = 0; i < 8 && rest > 0x7fn; i += 1, rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
