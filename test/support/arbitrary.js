import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { root as repository } from './cli.js';

/**
 * What the JSON Schemas of reports/schema say of a value.
 * @typedef {{ $ref?: string, const?: unknown, enum?: unknown[], type?: string | string[], pattern?: string,
 *   minLength?: number, maxLength?: number, minimum?: number, maximum?: number, minItems?: number, maxItems?: number,
 *   items?: Schema, properties?: Record<string, Schema>, required?: string[], propertyNames?: Schema,
 *   additionalProperties?: boolean | Schema, definitions?: Record<string, Schema>, anyOf?: Schema[], if?: Schema, then?: Schema,
 *   else?: Schema, sameLength?: string[][] }} Schema
 */

/** Numbers that arithmetic, logarithms and axes stumble over. */
const extreme = [0, -0, 1, -1, 1e-300, 5e-324, 1e200, -1e200, 1e308, 1.7976931348623157e308, 2 ** 53, 1e15, 1e21, 0.1];

/** Texts that Markdown, HTML, terminals and templates stumble over. */
const odd = ['', '|', '`', '<b>x', '{{ . }}', '\u202eevil', '\n\n# x', '${x}', '@all', '\u0000', '😀', '-'];

/**
 * Makes values that a JSON Schema allows, with extremes among them.
 * @param {Schema} schema
 * @param {{ root?: Schema, keys?: readonly string[] }} [options] keys: names that tables of numbers have besides random ones
 * @returns {fc.Arbitrary<any>}
 */
export function arbitraryOf(schema, { root = schema, keys = [] } = {}) {
  const of = (/** @type {Schema} */ inner) => arbitraryOf(inner, { root, keys });
  if (schema.$ref) {
    const found = pointed(schema.$ref, root);
    return arbitraryOf(found.schema, { root: found.root, keys });
  }
  if (schema.if) {
    const { if: condition, then: one, else: other, ...rest } = schema;
    return fc.oneof(of(narrowed(rest, condition, one)), of(narrowed(rest, other)));
  }
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(of));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? 'object'].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => of({ ...schema, type })));
  switch (types[0]) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return numbers(
        schema,
        fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 - 1 }),
        true,
      );
    case 'number': {
      const { minimum: min = -Number.MAX_VALUE, maximum: max = Number.MAX_VALUE } = schema;
      return numbers(schema, fc.double({ min, max, noNaN: true, noDefaultInfinity: true }), false);
    }
    case 'string':
      return texts(schema);
    case 'array': {
      const { minItems = 0, maxItems = 4 } = schema;
      return fc.array(of(schema.items ?? { type: 'null' }), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, 4)),
      });
    }
    default:
      return tables(schema, of, keys);
  }
}

/** @param {string} name of a file of reports/schema @returns {Schema} */
export const readSchema = (name) => JSON.parse(readFileSync(join(repository, 'reports', 'schema', name), 'utf8'));

/** What `file#/definitions/name` points at. @param {string} reference @param {Schema} root */
function pointed(reference, root) {
  const [file, pointer] = reference.split('#');
  const of = file ? readSchema(file) : root;
  const schema = pointer
    .split('/')
    .slice(1)
    .reduce((part, key) => part[key], /** @type {any} */ (of));
  return { root: of, schema: /** @type {Schema} */ (schema) };
}

/** A table some of whose properties are also what others say. @param {Schema} table @param {(Schema | undefined)[]} others */
function narrowed(table, ...others) {
  const properties = others.flatMap((other) => Object.entries(other?.properties ?? {}));
  return {
    ...table,
    properties: {
      ...table.properties,
      ...Object.fromEntries(properties.map(([key, inner]) => [key, { ...table.properties?.[key], ...inner }])),
    },
  };
}

/** @param {Schema} schema @param {fc.Arbitrary<number>} any @param {boolean} whole */
function numbers({ minimum = -Infinity, maximum = Infinity }, any, whole) {
  const fitting = extreme.filter((n) => n >= minimum && n <= maximum && (!whole || Number.isInteger(n)));
  return fitting.length
    ? fc.oneof({ weight: 2, arbitrary: any }, { weight: 1, arbitrary: fc.constantFrom(...fitting) })
    : any;
}

/** @param {Schema} schema @returns {fc.Arbitrary<string>} */
function texts({ pattern, minLength = 0, maxLength = 60 }) {
  if (pattern?.includes('T\\d'))
    // Of the future is what a wrong clock says: pages leave such a record out, and name it.
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(1.7e12) }).map((at) => at.toISOString());
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  const random = fc.string({ minLength, maxLength: Math.min(maxLength, 60), unit: 'binary' });
  return minLength > 0 ? random : fc.oneof(random, fc.constantFrom(...odd));
}

/**
 * @param {Schema} schema
 * @param {(inner: Schema) => fc.Arbitrary<any>} of
 * @param {readonly string[]} keys
 */
function tables({ properties = {}, required = [], additionalProperties, propertyNames, sameLength = [] }, of, keys) {
  const known = fc
    .record(Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, of(inner)])), {
      requiredKeys: /** @type {any} */ (required),
    })
    .map((table) => sameLength.reduce(ofSameLength, table));
  if (typeof additionalProperties !== 'object') return known;
  const names = propertyNames
    ? fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...keys) }, of({ type: 'string', ...propertyNames }))
    : texts({});
  const others = fc.dictionary(names, of(additionalProperties), { maxKeys: propertyNames ? 6 : 2 });
  return fc.tuple(known, others).map(([some, more]) => ({ ...more, ...some }));
}

/** Cuts the arrays of a table that belong together. @param {Record<string, any>} table @param {string[]} names */
function ofSameLength(table, names) {
  const isEach = (/** @type {string} */ name) => name.endsWith('[]');
  const arrays = names.flatMap((name) => (isEach(name) ? table[name.slice(0, -2)] : [table[name]]));
  const length = Math.min(...arrays.map((array) => array.length));
  const cut = (/** @type {unknown[]} */ array) => array.slice(0, length);
  return {
    ...table,
    ...Object.fromEntries(
      names.map((name) => {
        const key = name.replace(/\[\]$/, '');
        return [key, isEach(name) ? table[key].map(cut) : cut(table[key])];
      }),
    ),
  };
}
