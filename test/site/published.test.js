// What a table shows of a published reference.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishedOf, publishedUnit } from '../../src/site/pages/published.js';

const reference = { title: 'Theirs', source: '', date: '', machine: '', note: '' };
const wish = { title: 'Ours', by: 'bytes', cells: [] };

test('a table that is turned has what was published beside each of its columns', () => {
  const references = [{ ...reference, columns: ['Metric', 'Small', 'Large'], rows: [['p50', '45 ms', '250 ms']] }];
  const published = publishedOf(
    {
      ...wish,
      transpose: true,
      published: { reference: 'Theirs', rows: { 'Response time': 'p50' }, columns: { 338: 'Small' } },
    },
    references,
  );
  const at = (/** @type {unknown} */ by, /** @type {string} */ title) =>
    published(/** @type {any} */ ({ by }), /** @type {any} */ ({ title }));
  assert.deepEqual(
    [at(338, 'Response time'), at('Large', 'p50'), at(1, 'p50'), at(338, 'p99'), at('Metric', 'p50')],
    ['45 ms', '250 ms', '', '', ''],
  );
});

test('a published number has the unit that stands behind the last comma of its column', () => {
  const columns = { load: 'Load time, mean, s', memory: 'Memory, GB (%)', errors: 'Errors' };
  const units = ['load', 'memory', 'errors', 'rate', 'Wait, ms'].map((title) =>
    publishedUnit({ ...wish, published: { reference: 'Theirs', columns } }, title),
  );
  assert.deepEqual(units, ['s', 'GB (%)', '', '', 'ms']);
});
