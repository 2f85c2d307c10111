import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { packageRoot } from '../base/tools/find-tool.js';

/** @import { ErrorObject, SchemaValidateFunction } from 'ajv' */

const files = ['record.schema.json', 'comparison.schema.json', 'trial.schema.json', 'generator.schema.json'];

/** @type {Ajv | undefined} compiled only when a value is validated */
let schemas;

/**
 * What makes a value no record.
 * @param {unknown} value
 * @returns {string | null} null: it is one
 */
export const recordProblem = (value) => problem('record.schema.json', value);

/**
 * What makes a value no comparison.
 * @param {unknown} value
 * @returns {string | null} null: it is one
 */
export const comparisonProblem = (value) => problem('comparison.schema.json', value);

/**
 * What makes a value no trial of a calibration.
 * @param {unknown} value
 * @returns {string | null} null: it is one
 */
export const trialProblem = (value) => problem('trial.schema.json', value);

/**
 * What makes a value not what a generator says of its part.
 * @param {unknown} value
 * @returns {string | null} null: it is that
 */
export const generatorProblem = (value) => problem('generator.schema.json', value);

/**
 * @param {string} name
 * @param {unknown} value
 */
function problem(name, value) {
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
  const [{ instancePath, message, params }] = /** @type {ErrorObject[]} */ (validate.errors);
  const extra = params.additionalProperty ?? params.allowedValues?.join(', ');
  return `${instancePath || 'it'} ${message}${extra ? ` (${extra})` : ''}`;
}

/**
 * What JSON Schema has no keyword for: that arrays belong together, item by item. "values[]" stands for each item of `values`.
 * @type {SchemaValidateFunction}
 */
const areOfSameLength = (/** @type {string[][]} */ groups, /** @type {Record<string, any>} */ table) => {
  const lengthsOf = (/** @type {string} */ name) =>
    (name.endsWith('[]') ? (table[name.slice(0, -2)] ?? []) : [table[name]])
      .filter(Array.isArray)
      .map((/** @type {unknown[]} */ { length }) => length);
  const wrong = groups.find((names) => new Set(names.flatMap(lengthsOf)).size > 1);
  if (!wrong) return true;
  const message = `must have as many items in ${wrong.join(' as in ')}`;
  areOfSameLength.errors = [{ keyword: 'sameLength', message, params: {} }];
  return false;
};

/** @param {string} name */
const read = (name) => JSON.parse(readFileSync(join(packageRoot, 'reports', 'schema', name), 'utf8'));
