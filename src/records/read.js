import { readFileSync } from 'node:fs';
import { exitCodes, UserError } from '../errors.js';
import { isName, isVersionName } from './names.js';
import { recordProblem, schemaVersion } from './schema.js';

/**
 * @import { BenchRecord } from '../../reports/schema/types.d.ts'
 * @import { RecordPlace } from './versions.js'
 */

export const restore = 'Restore the file (git checkout, if it is kept there), or delete it.';

/** Says what is wrong with a file of ours. problem: without its name, for lists that have it: "is not a record: …". */
export class FileProblem extends UserError {
  /**
   * @param {string} file
   * @param {string} problem
   * @param {{ code?: number, hint?: string, cause?: unknown }} options
   */
  constructor(file, problem, options) {
    super(`${file} ${problem}`, options);
    this.file = file;
    this.problem = problem;
  }
}

/**
 * Reads a record.
 * @param {string} file
 * @param {Partial<RecordPlace>} [place] where it lies, as it must say itself
 * @returns {BenchRecord}
 * @throws {FileProblem} it is not there, truncated, of another schema version, no record, or that of another place
 */
export const readRecord = (file, place) => parseRecord(readText(file), file, place);

/**
 * Reads the text of a record.
 * @param {string} text
 * @param {string} file what it is called
 * @param {Partial<RecordPlace>} [place]
 * @returns {BenchRecord}
 * @throws {FileProblem}
 */
export function parseRecord(text, file, place = {}) {
  for (const [key, name] of Object.entries(place)) {
    if (key === 'version' ? isVersionName(name) : isName(name)) continue;
    throw new FileProblem(file, `has ${JSON.stringify(name)} in its path, which cannot name a ${key}`, {});
  }
  const record = parseJson(text, file);
  if (record?.schema !== schemaVersion) {
    const other = JSON.stringify(record?.schema) ?? 'none';
    throw new FileProblem(file, `has schema version ${other}; this benchfolio reads ${schemaVersion}`, {
      hint: 'Use the version of benchfolio that wrote it, or measure again.',
    });
  }
  const problem = recordProblem(record);
  if (problem) throw new FileProblem(file, `is not a record: ${problem}`, { hint: restore });
  for (const [key, value] of Object.entries(place)) {
    if (record[key] === value) continue;
    throw new FileProblem(file, `has the ${key} "${record[key]}", and its path says "${value}"`, { hint: restore });
  }
  return record;
}

/**
 * Reads a record for those who can do without it.
 * @param {string} file
 * @param {Partial<RecordPlace>} [place]
 * @returns {BenchRecord | null} null: it is not there, or no record of that place
 */
export function tryRecord(file, place) {
  try {
    return readRecord(file, place);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return null;
  }
}

/**
 * Reads a file of JSON.
 * @param {string} file
 * @returns {any}
 * @throws {FileProblem} it is not there, or truncated
 */
export const readJson = (file) => parseJson(readText(file), file);

/**
 * Reads a file. Synchronously: there may be a thousand small ones, and nothing else to do meanwhile.
 * @param {string} file
 * @returns {string}
 * @throws {FileProblem}
 */
export function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === 'ENOENT') throw new FileProblem(file, 'does not exist', { cause });
    throw new FileProblem(file, `cannot be read (${code ?? message})`, { code: exitCodes.error, cause });
  }
}

/** @param {string} text @param {string} file @returns {any} */
function parseJson(text, file) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = text.trim() === '' ? 'it is empty' : /** @type {Error} */ (cause).message;
    throw new FileProblem(file, `is truncated or damaged: ${why}`, { hint: restore, cause });
  }
}
