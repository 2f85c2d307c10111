import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatAs, inColumn, printOf } from '../../dist/base/format.js';
import { columnOf, csv } from '../../dist/site/pages/csv.js';
import { spreadOf } from '../../site/assets/js/metric-rows.js';
import { parseCsv } from '../support/site/parse-csv.js';

// How numbers are printed: test/reports/numbers.test.js.
describe('a number on a page', () => {
  it('is in the unit that people read', () => {
    assert.equal(formatAs(0.0123, printOf('ratio')), '1.23');
    assert.equal(formatAs(91_000_000, printOf('bytes', [91_000_000])), '91.0');
    const units = ['ratio', 'bytes', 'bytes/s', '1', 'ms', '1/s'].map((unit) => printOf(unit, [1e9]).unit);
    assert.deepEqual(units, ['%', 'GB', 'GB/s', '', 'ms', '/s']);
    assert.equal(formatAs(null, printOf('ms')), '–');
  });

  it('is in the unit of the middle one, together with others, or in the one that is asked for', () => {
    const values = [9.5e6, 91e6, 1.2e9];
    const print = inColumn(printOf('bytes', values), values);
    assert.deepEqual([print.unit, ...values.map((value) => formatAs(value, print))], ['MB', '9.5', '91.0', '1,200.0']);
    assert.equal(printOf('bytes/s', values, '{} kB/s').unit, 'kB/s');
  });

  it('has its rounds beside it', () => {
    const metric = (/** @type {(number | null)[]} */ samples) => /** @type {any} */ ({ samples });
    assert.equal(spreadOf(metric([1.234, null, 1.3]), printOf('ms')), '1.23 to 1.30');
    assert.equal(spreadOf(metric([0.5]), printOf('ratio')), '');
    assert.equal(spreadOf(metric([7, 7]), printOf('1')), '7');
  });
});

describe('CSV', () => {
  it('holds any text, and no formula', () => {
    const text = csv(
      [columnOf('name'), columnOf('value')],
      [
        { name: 'a,"b"\nc', value: 1.5 },
        { name: '=cmd()', value: null },
        { name: '-1 or more', value: -1 },
      ],
    );
    assert.equal(text, 'name,value\r\n"a,""b""\nc",1.5\r\n\'=cmd(),\r\n\'-1 or more,-1\r\n');
    assert.deepEqual(
      parseCsv(text).map(({ value }) => value),
      ['1.5', '', '-1'],
    );
  });
});
