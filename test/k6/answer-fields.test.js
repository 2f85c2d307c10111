// How the fields of sampled answers are counted. What a player tells of one: vectors.test.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersIn } from '../../dist/run/generator/answers.js';

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
