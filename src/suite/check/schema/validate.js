import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

/** @import { AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv' */

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
 * @returns {AnySchemaObject}
 */
export const readSchema = (kind) =>
  JSON.parse(readFileSync(new URL(`../../../../specs/${kind}.schema.json`, import.meta.url), 'utf8'));

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
 * Which keys go with which executor, what a scenario must have and that a request has one method is said by src/suite/cases, for
 * profiles too and in better words: the schema's conditions are there for editors.
 * @param {AnySchemaObject} schema
 */
function withoutConditions(schema) {
  const { scenario, request, environment, chart, table, cell, metricOrQuery, requirement } = schema.definitions;
  const conditions = [
    [scenario, 'allOf'],
    [request, 'oneOf'],
    [environment, 'anyOf'],
    [environment, 'if'],
    [environment, 'then'],
    [chart, 'if'],
    [chart, 'then'],
    [chart, 'else'],
    [table, 'oneOf'],
    [cell, 'oneOf'],
    [metricOrQuery, 'anyOf'],
    [requirement, 'anyOf'],
  ];
  for (const [definition, key] of conditions) delete definition?.[key];
  return direct(schema);
}

/**
 * A $ref in place of an allOf that is only there for a description beside it: less to compile.
 * @template T
 * @param {T} schema
 * @returns {T}
 */
function direct(schema) {
  if (schema === null || typeof schema !== 'object') return schema;
  if (Array.isArray(schema)) return /** @type {T} */ (schema.map(direct));
  const { allOf } = /** @type {{ allOf?: AnySchemaObject[] }} */ (schema);
  if (allOf?.length === 1 && allOf[0].$ref) return /** @type {T} */ (allOf[0]);
  return /** @type {T} */ (Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, direct(value)])));
}
