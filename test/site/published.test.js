// What a table shows of a published reference.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printBeside, publishedOf, publishedUnit, publishedUnits } from '../../dist/site/pages/published.js';

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

test('the units of a column are those of its head, else those that all of its cells have', () => {
  assert.deepEqual(publishedUnits('GB (%)', ['1.74 (87%)']), ['GB', '%']);
  assert.deepEqual(publishedUnits('', ['45ms', '', '1,250 ms']), ['ms']);
  assert.deepEqual(publishedUnits('', ['45ms', '1.2 s']), [], 'of two units there is none');
  assert.deepEqual(publishedUnits('mean (1: one core)', ['25%', '35 %']), ['%'], 'a part of a title is no unit');
  assert.deepEqual(publishedUnits('', ['about 22,000', '500+ req/sec']), []);
});

test('a number has the unit of the published one beside it', () => {
  const shown = (
    /** @type {number} */ value,
    /** @type {string} */ unit,
    /** @type {string | undefined} */ published,
  ) => {
    const print = printBeside(unit, published);
    return print && `${print.format(value * print.factor)} ${print.unit}`;
  };
  assert.equal(shown(6.5, 'ms', 's'), '0.00650 s');
  assert.equal(shown(1500, 'ms', 'min'), '0.0250 min');
  assert.equal(shown(142e6, 'bytes', 'GB'), '0.142 GB');
  assert.equal(shown(3 * 2 ** 20, 'bytes', 'MiB'), '3.00 MiB');
  assert.equal(shown(2e6, 'bytes/s', 'MB/s'), '2.00 MB/s');
  assert.equal(shown(1.02, 'cores', '%'), '102 %');
  assert.equal(shown(0.25, 's', 'ms'), '250 ms');
  assert.equal(shown(6.5, 'ms', undefined), null);
  assert.equal(shown(6.5, 'ms', 'req/sec'), null);
  assert.equal(shown(6.5, 'toString', 's'), null);
});
