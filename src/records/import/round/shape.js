import { Ajv } from 'ajv';
import { FileProblem } from './file-problem.js';

/** @import { ErrorObject } from 'ajv' */

/** @param {string} text */
export function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const ajv = new Ajv({ allowUnionTypes: true, validateSchema: false, meta: false, code: { optimize: false } });

/**
 * What a format reads of its JSON has the types that it relies on. Numbers are finite.
 * @param {unknown} value
 * @param {object} schema of that part
 * @param {string} writer "JMeter"
 * @throws {FileProblem} with the place of what is otherwise
 */
export function holdsShape(value, schema, writer) {
  const validate = ajv.compile(schema);
  if (validate(value)) return;
  const [{ instancePath, message, params }] = /** @type {ErrorObject[]} */ (validate.errors);
  const at = instancePath.slice(1).replaceAll('/', ' > ').replaceAll('~1', '/').replaceAll('~0', '~');
  const what = params.missingProperty ? `has no "${params.missingProperty}"` : message;
  throw new FileProblem(`is not what ${writer} writes: ${at ? `"${at}"` : 'it'} ${what}`);
}

export const count = { type: 'number', minimum: 0 };
export const maybeNumber = { type: ['number', 'null'] };
/** @param {object} values */
export const mapOf = (values) => ({ type: 'object', additionalProperties: values });
