import { readFileSync } from 'node:fs';
import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv';

const compiled: Map<string, ValidateFunction> = new Map();

/**
 * What a document has against its schema.
 * @returns with the schema that each comes from (`verbose`)
 */
export function schemaErrors(kind: 'spec' | 'bench', document: unknown): ErrorObject[] {
  const validate = compiled.get(kind) ?? compile(kind);
  return validate(document) ? [] : [...(validate.errors ?? [])];
}

/** The schema as it is published. */
export const readSchema = (kind: 'spec' | 'bench'): AnySchemaObject =>
  JSON.parse(readFileSync(new URL(`../../../../specs/${kind}.schema.json`, import.meta.url), 'utf8'));

function compile(kind: 'spec' | 'bench'): ValidateFunction {
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
 */
function withoutConditions(schema: AnySchemaObject) {
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

/** A $ref in place of an allOf that is only there for a description beside it: less to compile. */
function direct<T>(schema: T): T {
  if (schema === null || typeof schema !== 'object') return schema;
  if (Array.isArray(schema)) return schema.map(direct) as T;
  const { allOf } = schema as { allOf?: AnySchemaObject[] };
  if (allOf?.length === 1 && allOf[0].$ref) return allOf[0] as T;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, direct(value)])) as T;
}
