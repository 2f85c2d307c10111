import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

/** @import { ErrorObject, ValidateFunction } from 'ajv' */

/** @type {Map<string, ValidateFunction>} */
const compiled = new Map();

/**
 * What a document has against its schema.
 * @param {'spec' | 'bench'} kind
 * @param {unknown} document
 * @returns {ErrorObject[]} with the schema that each comes from (`verbose`)
 */
export function schemaErrors(kind, document) {
  const validate = compiled.get(kind) ?? compile(kind);
  return validate(document) ? [] : [...(validate.errors ?? [])];
}

/**
 * The schema as it is published.
 * @param {'spec' | 'bench'} kind
 * @returns {Record<string, any>}
 */
export const readSchema = (kind) =>
  JSON.parse(readFileSync(new URL(`../../specs/${kind}.schema.json`, import.meta.url), 'utf8'));

/** @param {'spec' | 'bench'} kind @returns {ValidateFunction} */
function compile(kind) {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    strictTypes: false,
    keywords: ['x-expects'], // ours: the second half of "… must be …"
    // a third of the time that compiling takes otherwise; a test validates the schemas themselves
    inlineRefs: false,
    validateSchema: false,
    messages: false,
    code: { optimize: false },
  });
  const validate = ajv.compile(withoutConditions(readSchema(kind)));
  compiled.set(kind, validate);
  return validate;
}

/**
 * Which keys go with which executor, what a scenario must have and that a request has one method is said by src/spec, for
 * profiles too and in better words: the schema's conditions are there for editors.
 * @param {Record<string, any>} schema
 */
function withoutConditions(schema) {
  delete schema.definitions.scenario?.allOf;
  delete schema.definitions.request?.oneOf;
  return schema;
}
