import { readFile } from 'node:fs/promises';
import { exitCodes, UserError } from '../errors.js';
import { recordProblem, schemaVersion } from './schema.js';

/**
 * A record, as reports/schema/record.schema.json describes it.
 * @typedef {{ schema: 1, version: string, system: string, environment: string, scenario: string, case: string,
 *   time: string, definition: string, verdict: 'pass' | 'fail' | 'invalid', [key: string]: any }} BenchRecord
 */

/**
 * Reads a record.
 * @param {string} file
 * @returns {Promise<BenchRecord>}
 * @throws {UserError} it is not there, truncated, of another schema version, or no record
 */
export const readRecord = async (file) => checked(await readJson(file, 'record'), file);

/**
 * The same of a text.
 * @param {string} text
 * @param {string} file what it is called
 * @returns {BenchRecord}
 * @throws {UserError}
 */
export const parseRecord = (text, file) => checked(parseJson(text, file, 'record'), file);

/** @param {any} value @param {string} file @returns {BenchRecord} */
function checked(value, file) {
  if (value?.schema !== schemaVersion) {
    const other = JSON.stringify(value?.schema) ?? 'none';
    throw new UserError(`${file} has schema version ${other}; this benchfolio reads ${schemaVersion}`, {
      hint: 'Use the version of benchfolio that wrote it, or measure again.',
    });
  }
  const problem = recordProblem(value);
  if (problem) throw new UserError(`${file} is not a record: ${problem}`, { hint: restore });
  return value;
}

const restore = 'Restore the file (git checkout, if it is kept there), or delete it.';

/**
 * Reads a file of JSON.
 * @param {string} file
 * @param {string} what for the error: "record"
 * @returns {Promise<any>}
 * @throws {UserError} it is not there, or truncated
 */
export async function readJson(file, what) {
  const text = await readFile(file, 'utf8').catch((cause) => {
    if (cause.code === 'ENOENT') throw new UserError(`there is no ${what} ${file}`);
    throw new UserError(`cannot read the ${what} ${file}: ${cause.message}`, { code: exitCodes.broken, cause });
  });
  return parseJson(text, file, what);
}

/** @param {string} text @param {string} file @param {string} what */
function parseJson(text, file, what) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = text.trim() === '' ? 'it is empty' : /** @type {Error} */ (cause).message;
    throw new UserError(`the ${what} ${file} is truncated or damaged: ${why}`, { hint: restore, cause });
  }
}
