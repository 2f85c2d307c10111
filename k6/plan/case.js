import { schemaVersion } from '../../reports/schema/version.js';
import { refuse } from '../shared/refuse.js';
import { readFile } from './files.js';

/** @import { Case } from '../../dist/suite/cases/expand.js' */

/**
 * The case that a k6 process is asked for by `-e`: CASE, a case.json as `benchfolio run` writes it and reads it afterwards;
 * or SPEC and what makes the same of a spec.
 * @param {Record<string, string>} env
 * @returns {{ benchCase: Case, folder: string }} folder: the spec's
 */
export function readCase(env) {
  if (env.CASE) return readCaseFile(env.CASE);
  // The modules that read a spec are loaded only for this.
  const { readSpecCase } = /** @type {typeof import('./spec-case.js')} */ (require('./spec-case.js'));
  return readSpecCase(env);
}

/** @param {string} file @returns {{ benchCase: Case, folder: string }} */
function readCaseFile(file) {
  const { content } = readFile(file, { what: 'the case' });
  const { schema, root, case: benchCase } = parse(content, file);
  if (schema !== schemaVersion) {
    refuse(
      `${file} is of another Benchfolio: it has schema version ${schema}, and this one reads ${schemaVersion}. ` +
        'Write it again: benchfolio run or archive',
    );
  }
  return { benchCase, folder: `${root}/${benchCase.spec_dir}` };
}

/** @param {string} content @param {string} file */
function parse(content, file) {
  try {
    return JSON.parse(content);
  } catch (error) {
    return refuse(`${file} is not a case.json: ${error}`);
  }
}

/**
 * Where this process begins in rows that all of a round share: it may be one of several parts.
 * @param {Case} benchCase
 * @param {string | undefined} part PART: its number, from 1 on
 * @returns {number} as a share of the rows
 */
export function rowsFromOf({ parts }, part) {
  if (parts === 1) return 0;
  const number = Number(part);
  if (!(Number.isInteger(number) && number >= 1 && number <= parts)) {
    refuse(
      `PART is "${part ?? ''}", and must be which of the ${parts} parts of a round this process is: 1 to ${parts}`,
    );
  }
  return (number - 1) / parts;
}
