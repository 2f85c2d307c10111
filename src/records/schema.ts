import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject, type SchemaValidateFunction } from 'ajv';
import { packageRoot } from '../base/tools/find-tool.js';

const files = ['record.schema.json', 'comparison.schema.json', 'trial.schema.json', 'generator.schema.json'];

/** compiled only when a value is validated */
let schemas: Ajv | undefined;

/**
 * What makes a value no record.
 * @returns null: it is one
 */
export const recordProblem = (value: unknown): string | null => problem('record.schema.json', value);

/**
 * What makes a value no comparison.
 * @returns null: it is one
 */
export const comparisonProblem = (value: unknown): string | null => problem('comparison.schema.json', value);

/**
 * What makes a value no trial of a calibration.
 * @returns null: it is one
 */
export const trialProblem = (value: unknown): string | null => problem('trial.schema.json', value);

/**
 * What makes a value not what a generator says of its part.
 * @returns null: it is that
 */
export const generatorProblem = (value: unknown): string | null => problem('generator.schema.json', value);

function problem(name: string, value: unknown) {
  // A command validates a handful of values: without optimizing, and without validating the schemas (a test does), compiling
  // takes a quarter of the time.
  schemas ??= new Ajv({
    schemas: files.map(read),
    allowUnionTypes: true,
    validateSchema: false,
    meta: false,
    code: { optimize: false },
    keywords: [{ keyword: 'sameLength', type: 'object', schemaType: 'array', errors: true, validate: areOfSameLength }],
  });
  const validate = schemas.getSchema(name);
  if (!validate) throw new Error(`reports/schema/${name} has another $id`);
  if (validate(value)) return null;
  const [{ instancePath, message, params }] = validate.errors as ErrorObject[];
  const extra = params.additionalProperty ?? params.allowedValues?.join(', ');
  return `${instancePath || 'it'} ${message}${extra ? ` (${extra})` : ''}`;
}

/**
 * What JSON Schema has no keyword for: that arrays belong together, item by item. "values[]" stands for each item of `values`.
 */
const areOfSameLength: SchemaValidateFunction = (groups: string[][], table: Record<string, any>) => {
  const lengthsOf = (name: string) =>
    (name.endsWith('[]') ? (table[name.slice(0, -2)] ?? []) : [table[name]])
      .filter(Array.isArray)
      .map(({ length }: unknown[]) => length);
  const wrong = groups.find((names) => new Set(names.flatMap(lengthsOf)).size > 1);
  if (!wrong) return true;
  const message = `must have as many items in ${wrong.join(' as in ')}`;
  areOfSameLength.errors = [{ keyword: 'sameLength', message, params: {} }];
  return false;
};

const read = (name: string) => JSON.parse(readFileSync(join(packageRoot, 'reports', 'schema', name), 'utf8'));
