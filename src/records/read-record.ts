import type { BenchRecord } from '../../reports/schema/types.d.ts';
import { schemaVersion } from '../../reports/schema/version.js';
import { exitCodes, UserError } from '../base/errors.js';
import { NotPlain, readPlain } from '../base/io/read-plain.js';
import { isName, isVersionName } from '../suite/record-names.js';
import { recordProblem } from './schema.js';
import type { RecordPlace } from './versions.js';

export const restore = 'Restore the file (git checkout, if it is kept there), or delete it.';

/** Says what is wrong with a file of ours. problem: without its name, for lists that have it: "is not a record: …". */
export class FileProblem extends UserError {
  file: string;
  problem: string;

  constructor(file: string, problem: string, options: { code?: number; hint?: string; cause?: unknown }) {
    super(`${file} ${problem}`, options);
    this.file = file;
    this.problem = problem;
  }
}

/**
 * Reads a record.
 * @param recordPlace where it lies, as it must say itself
 * @throws {FileProblem} it is not there, truncated, of another schema version, no record, or that of another place
 */
export const readRecord = (file: string, recordPlace?: Partial<RecordPlace>): BenchRecord =>
  parseRecord(readText(file, { links: recordPlace === undefined }), file, recordPlace);

/**
 * Reads the text of a record.
 * @param file what it is called
 * @throws {FileProblem}
 */
export function parseRecord(text: string, file: string, recordPlace: Partial<RecordPlace> = {}): BenchRecord {
  for (const [key, name] of Object.entries(recordPlace)) {
    if (key === 'version' ? isVersionName(name) : isName(name)) continue;
    throw new FileProblem(file, `has ${JSON.stringify(name)} in its path, which cannot name a ${key}`, {});
  }
  const record = parseOurs(text, file) as BenchRecord & Record<string, unknown>;
  const problem = recordProblem(record);
  if (problem) throw new FileProblem(file, `is not a record: ${problem}`, { hint: restore });
  for (const [key, value] of Object.entries(recordPlace)) {
    if (record[key] === value) continue;
    throw new FileProblem(file, `has the ${key} "${record[key]}", and its path says "${value}"`, { hint: restore });
  }
  return record;
}

/**
 * Reads a record that the caller does not need.
 * @returns null: it is not there, or no record of that place
 */
export function tryRecord(file: string, recordPlace?: Partial<RecordPlace>): BenchRecord | null {
  try {
    return readRecord(file, recordPlace);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return null;
  }
}

/**
 * Reads a file of JSON.
 * @throws {FileProblem} it is not there, or truncated
 */
export const readJson = (file: string): unknown => parseJson(readText(file), file);

/**
 * Reads a file of JSON that Benchfolio wrote.
 * @throws {FileProblem} it is not there, truncated, or of another schema version
 */
export const readOurs = (file: string): unknown => parseOurs(readText(file), file);

/**
 * Reads lines of JSON that Benchfolio wrote (NDJSON).
 * @param file what it is called
 * @throws {FileProblem} it is empty, or a line is truncated, or of another schema version
 */
export function parseLines(text: string, file: string): unknown[] {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length === 0) {
    throw new FileProblem(file, 'is truncated or damaged: its last line does not end', { hint: restore });
  }
  return lines.map((line, index) => parseOurs(line, `${file}:${index + 1}`));
}

/**
 * Reads the text of a file of JSON that Benchfolio wrote.
 * @param file what it is called
 * @throws {FileProblem} it is truncated, or of another schema version
 */
export function parseOurs(text: string, file: string): unknown {
  const value = parseJson(text, file);
  const other = otherVersion(value);
  if (other) throw new FileProblem(file, other.problem, { hint: other.hint });
  return value;
}

/**
 * Says what is wrong with the schema version of a file of ours.
 * @param value what is in the file
 * @returns problem: goes on after the name of the file; null: it is of today's version
 */
export function otherVersion(value: unknown): { problem: string; hint: string } | null {
  const { schema: version } = Object(value) as { schema?: unknown };
  if (version === schemaVersion) return null;
  if (!Number.isInteger(version)) {
    return { problem: 'has no schema version, as all files of Benchfolio have', hint: restore };
  }
  const versions = `it has schema version ${version}, and this one reads ${schemaVersion}`;
  return Number(version) < schemaVersion
    ? { problem: `is of an older Benchfolio: ${versions}`, hint: 'Measure again, or use the Benchfolio that wrote it.' }
    : { problem: `is of a newer Benchfolio: ${versions}`, hint: 'Update Benchfolio.' };
}

/**
 * Reads a file. Synchronously: there may be a thousand small ones, and nothing else to do meanwhile.
 * @throws {FileProblem}
 */
export function readText(file: string, options?: Parameters<typeof readPlain>[1]): string {
  try {
    return readPlain(file, options);
  } catch (cause) {
    if (cause instanceof NotPlain) throw new FileProblem(file, cause.message, { cause });
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ELOOP') throw new FileProblem(file, 'is a symbolic link', { hint: restore, cause });
    if (code === 'ENOENT') throw new FileProblem(file, 'does not exist', { cause });
    throw new FileProblem(file, `cannot be read (${code ?? message})`, { code: exitCodes.error, cause });
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = text.trim() === '' ? 'it is empty' : (cause as Error).message;
    throw new FileProblem(file, `is truncated or damaged: ${why}`, { hint: restore, cause });
  }
}
