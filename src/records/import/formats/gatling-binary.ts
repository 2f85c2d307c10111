import { FileProblem } from '../round/file-problem.js';
import type { LogRecord } from './gatling.js';

/** A record of the run comes first, with the version as its first text. */
export const isBinaryLog = (begin: string) => begin.startsWith('\0\0\0\0') && /^3\.\d+\.\d/.test(begin.slice(5));

/** The first byte of a record. */
const [run, request, user, group, error] = [0, 1, 2, 3, 4];

/**
 * The binary log of Gatling since 3.13 (LogFileDataWriter.scala of gatling-core 3.13.5): numbers are big-endian, times
 * milliseconds since the start of the run, and a text that was there before is the negative of its number.
 * @throws {FileProblem} it ends within a record, or has what is none
 */
export function eachBinaryRecord(bytes: Buffer, take: (record: LogRecord) => void) {
  const log = new Reader(bytes);
  let began = 0;
  const at = () => began + log.int();
  while (!log.isAtEnd()) {
    const number = log.number;
    const kind = log.byte();
    if (kind === run && number === 0) {
      const version = log.text();
      log.text(); // its class
      began = log.long();
      log.text(); // its description
      log.times(() => log.text()); // its scenarios
      const assertions = log.times(() => log.skip(log.int()));
      take({ kind: 'run', version, at: began });
      for (let i = 0; i < assertions; i += 1) take({ kind: 'assertion' });
    } else if (kind === user) {
      log.int(); // its scenario
      take({ kind: 'user', starts: log.boolean(), at: at() });
    } else if (kind === request) {
      const groups = log.groups();
      const name = log.cachedText();
      const [from, to] = [at(), at()];
      take({ kind: 'request', groups, name, from, to, ok: log.boolean(), message: log.cachedText() });
    } else if (kind === group) {
      const groups = log.groups();
      const [from, to] = [at(), at()];
      log.int(); // its cumulated response time
      log.boolean();
      take({ kind: 'group', groups, from, to });
    } else if (kind === error) {
      const message = log.cachedText();
      log.int();
      take({ kind: 'error', message });
    } else {
      throw log.problem(`begins with ${kind}, which is no kind of record`);
    }
    log.number += 1;
  }
}

class Reader {
  #bytes;
  #at = 0;
  #cache: Map<number, string> = new Map();
  /** Of the record, from 0. */
  number = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  isAtEnd() {
    return this.#at >= this.#bytes.length;
  }

  problem(what: string) {
    return new FileProblem(`is truncated or damaged: its record ${this.number + 1} ${what}`);
  }

  /** @returns where it begins */
  skip(length: number): number {
    const from = this.#at;
    if (length < 0 || from + length > this.#bytes.length) throw this.problem('does not end');
    this.#at += length;
    return from;
  }

  byte() {
    return this.#bytes[this.skip(1)];
  }

  boolean() {
    return this.byte() === 1;
  }

  int() {
    return this.#bytes.readInt32BE(this.skip(4));
  }

  long() {
    return Number(this.#bytes.readBigInt64BE(this.skip(8)));
  }

  /** How Java has a text: its bytes, and whether they are Latin-1 or UTF-16. */
  text() {
    const length = this.int();
    if (length === 0) return '';
    const from = this.skip(length);
    const isLatin = this.byte() === 0;
    return this.#bytes.toString(isLatin ? 'latin1' : 'utf16le', from, from + length);
  }

  cachedText() {
    const number = this.int();
    if (number > 0) {
      const text = this.text();
      this.#cache.set(number, text);
      return text;
    }
    const known = this.#cache.get(-number);
    if (known === undefined) throw this.problem(`has the text ${-number}, which was not there before`);
    return known;
  }

  groups() {
    const groups: string[] = [];
    this.times(() => groups.push(this.cachedText()));
    return groups;
  }

  /**
   * @param read one of a list
   * @returns how many there were
   */
  times(read: () => void): number {
    const count = this.int();
    if (count < 0) throw this.problem(`has a list of ${count}`);
    for (let i = 0; i < count; i += 1) read();
    return count;
  }
}
