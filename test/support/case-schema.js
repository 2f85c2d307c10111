import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { root } from './cli.js';

/** @import { ValidateFunction } from 'ajv' */

const schema = JSON.parse(readFileSync(join(root, 'reports', 'schema', 'case.schema.json'), 'utf8'));
const ajv = new Ajv({ schemas: [schema], allowUnionTypes: true });

/**
 * What makes a value no case.json.
 * @param {unknown} file
 * @returns {string | null} null: it is one
 */
export const caseFileProblem = (file) => problem('case.schema.json', file);

/**
 * What makes a value no resolved case.
 * @param {unknown} benchCase
 * @returns {string | null} null: it is one
 */
export const caseProblem = (benchCase) => problem('case.schema.json#/definitions/case', benchCase);

/** @param {string} name @param {unknown} value */
function problem(name, value) {
  const validate = /** @type {ValidateFunction} */ (ajv.getSchema(name));
  return validate(value) ? null : ajv.errorsText(validate.errors);
}
