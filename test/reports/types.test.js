// The types of what programs print are made from the schemas that describe it. To write them anew:
//
//   RENEW=1 node --test test/reports/types.test.js
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compile } from 'json-schema-to-typescript';
import { root } from '../support/cli.js';

/** @import { JSONSchema } from 'json-schema-to-typescript' */

const folder = join(root, 'reports', 'schema');

/** The schemas, with the names of their types. */
const kinds = { record: 'BenchRecord', comparison: 'Comparison', trial: 'Trial' };

/**
 * One schema of all three: what they have in common is one type.
 * @returns {JSONSchema}
 */
function bundle() {
  const schemas = Object.entries(kinds).map(([kind, title]) => {
    const { $id, $schema, ...schema } = JSON.parse(readFileSync(join(folder, `${kind}.schema.json`), 'utf8'));
    return [title, named({ ...schema, title }, title)];
  });
  return {
    title: 'Printed',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(schemas.map(([title]) => [title, { $ref: `#/definitions/${title}` }])),
    definitions: Object.fromEntries(schemas),
  };
}

/**
 * A part of a schema within the bundle: references lead into it, and what others refer to has a name.
 * @param {any} part
 * @param {string} title of its schema
 * @returns {any}
 */
function named(part, title) {
  if (Array.isArray(part)) return part.map((item) => named(item, title));
  if (part === null || typeof part !== 'object') return part;
  const { $ref, definitions, ...rest } = part;
  if (rest.title && rest.type?.includes?.('null') && Array.isArray(rest.type)) {
    return { anyOf: [named({ ...part, type: rest.type[0] }, title), { type: 'null' }] };
  }
  const all = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, named(value, title)]));
  if (definitions) {
    all.definitions = Object.fromEntries(
      Object.entries(definitions).map(([key, value]) => [
        key,
        { title: key[0].toUpperCase() + key.slice(1), ...named(value, title) },
      ]),
    );
  }
  if ($ref === undefined) return all;
  const [file, pointer] = $ref.split('#');
  const kind = /** @type {keyof typeof kinds} */ (file.replace('.schema.json', ''));
  return { ...all, allOf: [{ $ref: `#/definitions/${kinds[kind] ?? title}${pointer}` }] };
}

test('the types of records, comparisons and trials are up to date', async () => {
  const file = join(folder, 'types.d.ts');
  const text = await compile(bundle(), 'Printed', {
    additionalProperties: false,
    bannerComment: '// Made of the schemas by test/reports/types.test.js.',
    ignoreMinAndMaxItems: true,
    style: { printWidth: 120, singleQuote: true },
  });
  if (process.env.RENEW) writeFileSync(file, text);
  assert.equal(readFileSync(file, 'utf8'), text, 'run: RENEW=1 node --test test/reports/types.test.js');
});
