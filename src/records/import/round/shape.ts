import { Ajv, type ErrorObject } from 'ajv';
import { FileProblem } from './file-problem.js';

export function isJson(text: string) {
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
 * @param schema of that part
 * @param writer "JMeter"
 * @throws {FileProblem} with the place of what is otherwise
 */
export function holdsShape(value: unknown, schema: object, writer: string) {
  const validate = ajv.compile(schema);
  if (validate(value)) return;
  const [{ instancePath, message, params }] = validate.errors as ErrorObject[];
  const at = instancePath.slice(1).replaceAll('/', ' > ').replaceAll('~1', '/').replaceAll('~0', '~');
  const what = params.missingProperty ? `has no "${params.missingProperty}"` : message;
  throw new FileProblem(`is not what ${writer} writes: ${at ? `"${at}"` : 'it'} ${what}`);
}

export const count = { type: 'number', minimum: 0 };
export const maybeNumber = { type: ['number', 'null'] };
export const mapOf = (values: object) => ({ type: 'object', additionalProperties: values });
