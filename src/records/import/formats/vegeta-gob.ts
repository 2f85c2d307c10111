import { FileProblem } from '../round/file-problem.js';

/**
 * One result of vegeta's attack, as its binary file has it.
 * Timestamp: milliseconds since 1970; Latency: nanoseconds
 */
type GobResult = {
  Code?: number;
  Timestamp?: number;
  Latency?: number;
  BytesOut?: number;
  BytesIn?: number;
  Error?: string;
  Method?: string;
  URL?: string;
};

/** Ids of Go's basic types in a gob (encoding/gob). */
const types = { 2: 'int', 3: 'uint', 5: 'bytes', 6: 'string' } as const;

/** Seconds from the year 1, where Go's time begins, to 1970. */
const toUnix = 62135596800;

/**
 * Reads the results of `vegeta attack`: a stream of Go's encoding/gob, each message with its length, definitions of types before
 * the values. Of a value no more is read than is known; its length leads to the next.
 * @throws {FileProblem}
 */
export function eachGobResult(file: Buffer, take: (result: GobResult) => void) {
  /** by the id of their type */
  const results: Map<number, Field[]> = new Map();
  let at = 0;
  let count = 0;
  while (at < file.length) {
    const message = new Reader(file, at, file.length);
    const length = message.uint();
    const end = message.at + length;
    if (length === 0 || end > file.length) throw new FileProblem(`ends within its result ${count + 1}`);
    at = end;
    const reader = new Reader(file, message.at, end);
    const type = reader.int();
    const fields = type < 0 ? reader.structFields() : results.get(type);
    if (type < 0) {
      if (fields?.some(({ name }) => name === 'Latency')) results.set(-type, fields);
    } else if (fields) {
      take(reader.result(fields));
      count += 1;
    } else throw new FileProblem('has values of another kind than results of vegeta');
  }
}

class Reader {
  file: Buffer;
  at: number;
  end: number;

  constructor(file: Buffer, at: number, end: number) {
    this.file = file;
    this.at = at;
    this.end = end;
  }

  byte() {
    if (this.at >= this.end) throw new FileProblem('is truncated or damaged: a value goes beyond its end');
    return this.file[this.at++];
  }

  /** Below 128 a byte; else the number of bytes that follow, negated. */
  uint() {
    const first = this.byte();
    if (first < 128) return first;
    let value = 0;
    for (let left = 256 - first; left > 0; left -= 1) value = value * 256 + this.byte();
    if (!Number.isSafeInteger(value)) throw new FileProblem('has a number that is too large');
    return value;
  }

  /** The sign is the last bit. */
  int() {
    const value = this.uint();
    return value % 2 === 0 ? value / 2 : -(value - 1) / 2 - 1;
  }

  bytes() {
    const length = this.uint();
    if (this.at + length > this.end) throw new FileProblem('is truncated or damaged: a text goes beyond its end');
    this.at += length;
    return this.file.subarray(this.at - length, this.at);
  }

  string() {
    return this.bytes().toString('utf8');
  }

  /**
   * The fields of a definition of a struct: its third part is { { name, id }, [{ name, id }] }. Before each field stands how far
   * it is from the one before; 0 ends them.
   * @returns null: it defines no struct
   */
  structFields(): Field[] | null {
    if (this.uint() !== 3) return null;
    const fields: Field[] = [];
    let part = 0;
    for (let step = this.uint(); step !== 0; step = this.uint()) {
      part += step;
      if (part === 1) this.named();
      else for (let left = this.uint(); left > 0; left -= 1) fields.push(this.named());
    }
    return fields;
  }

  named(): Field {
    const field = { name: '', type: 0 };
    let part = 0;
    for (let step = this.uint(); step !== 0; step = this.uint()) {
      part += step;
      if (part === 1) field.name = this.string();
      else field.type = this.int();
    }
    return field;
  }

  result(fields: Field[]): GobResult {
    const result: Record<string, any> = {};
    let index = -1;
    for (let step = this.uint(); step !== 0; step = this.uint()) {
      index += step;
      const field = fields[index];
      if (!field) throw new FileProblem('is truncated or damaged: a result has a field that is not defined');
      const type = types[field.type as keyof typeof types];
      if (field.name === 'Timestamp') result.Timestamp = timeOf(this.bytes());
      else if (type) result[field.name] = this[type]();
      else break; // headers, the last field: the length of the message leads past them
    }
    return result;
  }
}

/** type: its id */
type Field = { name: string; type: number };

/** time.Time as Go marshals it: version, seconds since the year 1, nanoseconds, offset. */
function timeOf(bytes: Buffer) {
  if (bytes.length < 13) throw new FileProblem('has a time that cannot be read');
  return (Number(bytes.readBigInt64BE(1)) - toUnix) * 1000 + bytes.readInt32BE(9) / 1e6;
}
