import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { columnFormat, formatNumber, formatSeconds, printed, printOf } from '../../src/site/model/format.js';
import { csv } from '../../src/site/pages/csv.js';
import { spreadOf } from '../../src/site/pages/metric-rows.js';
import { parseCsv } from '../support/site/parse-csv.js';

describe('a number on a page', () => {
  for (const [value, text] of /** @type {[number, string][]} */ ([
    [0, '0'],
    [12345.6, '12,346'],
    [312.4, '312'],
    [31.24, '31.2'],
    [3.124, '3.12'],
    [0.03124, '0.0312'],
    [0.00001, '<0.0001'],
    [-4.5, '−4.50'],
    [-1234567, '−1,234,567'],
  ]))
    it(`${value} is ${text}`, () => assert.equal(formatNumber(value), text));

  it('is in the unit that people read', () => {
    assert.equal(printed(0.0123, printOf('ratio')), '1.23');
    assert.equal(printed(91_000_000, printOf('bytes')), '91.0');
    const units = ['ratio', 'bytes', 'bytes/s', '1', 'ms'].map((unit) => printOf(unit).unit);
    assert.deepEqual(units, ['%', 'MB', 'MB/s', '', 'ms']);
    assert.equal(printed(null, printOf('ms')), '–');
  });

  it("has its column's decimals", () => {
    const columns = [
      [0.44, 1.219, 5.066],
      [1.8, 54.59, 274.8, 486, 1152],
      [997, 2001],
      [0, 0],
      [0.25, 0.249],
      [0.19, 50.4, 10001.4],
    ];
    assert.deepEqual(
      columns.map((column) => column.map(columnFormat(column)).join(' ')),
      ['0.44 1.22 5.07', '1.8 54.6 274.8 486.0 1,152.0', '997 2,001', '0 0', '0.250 0.249', '0.190 50.4 10,001'],
    );
  });

  it('has its rounds beside it', () => {
    const metric = (/** @type {(number | null)[]} */ samples) => /** @type {any} */ ({ samples });
    assert.equal(spreadOf(metric([1.234, null, 1.3]), printOf('ms')), '1.23 to 1.30');
    assert.equal(spreadOf(metric([0.5]), printOf('ratio')), '');
    assert.equal(spreadOf(metric([7, 7]), printOf('1')), '7');
  });

  it('of seconds is a time', () => {
    assert.deepEqual([30, 84, 3600, 7500].map(formatSeconds), ['30 s', '1 min 24 s', '1 h', '2 h 5 min']);
  });
});

describe('CSV', () => {
  it('holds any text, and no formula', () => {
    const text = csv(
      ['name', 'value'],
      [
        ['a,"b"\nc', 1.5],
        ['=cmd()', null],
        ['-1 or more', -1],
      ],
    );
    assert.equal(text, 'name,value\r\n"a,""b""\nc",1.5\r\n\'=cmd(),\r\n\'-1 or more,-1\r\n');
    assert.deepEqual(
      parseCsv(text).map(({ value }) => value),
      ['1.5', '', '-1'],
    );
  });
});
