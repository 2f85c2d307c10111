// What JSON answers hold, as the JavaScript player tells it; k6/native/player/fields_test.go holds the native one to the same vectors.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fieldsOf } from '../../k6/user/fields.js';
import { answersIn } from '../../src/generator/answers.js';
import { root } from '../support/cli.js';

/** @type {{ body: string, fields: Record<string, string> | null }[]} */
const vectors = JSON.parse(readFileSync(join(root, 'k6/native/vectors/answer-fields.json'), 'utf8'));

for (const { body, fields } of vectors)
  test(`the fields of ${body.slice(0, 60) || 'nothing'}`, () => assert.deepEqual(fieldsOf(body), fields));

test('fields of answers are counted, and their values until there are too many', () => {
  const line = (/** @type {Record<string, string> | null} */ fields) =>
    `level=info msg=${JSON.stringify(`benchfolio: answer: ${JSON.stringify(['a', 200, 2, '', 0, 'x', fields])}`)} source=console\n`;
  const log = [
    ...Array.from({ length: 21 }, (_, i) => line({ '': 'object', id: `number#${i}`, kind: `string#${i % 2}` })),
    line({ '': 'object', kind: 'null' }),
    line(null),
  ];
  assert.deepEqual(answersIn([log.join('')]).a.fields, {
    count: 22,
    paths: {
      '': { kinds: { object: 22 }, values: {}, distinct: 0 },
      id: { kinds: { number: 21 }, values: null, distinct: 21 },
      kind: { kinds: { string: 21, null: 1 }, values: { 0: 11, 1: 10 }, distinct: 2 },
    },
  });
});
