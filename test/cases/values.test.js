import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseBytes } from '../../dist/suite/cases/bytes.js';
import { parseDuration, showDuration } from '../../dist/suite/cases/durations.js';
import { fillPlaceholders, placeholdersOf } from '../../dist/suite/cases/placeholders.js';
import { quantileGrid } from '../../dist/suite/cases/quantiles.js';
import { expandSweep } from '../../dist/suite/cases/sweep.js';
import { parseThreshold, samplesNeeded } from '../../dist/suite/cases/thresholds.js';

describe('durations', () => {
  const table = /** @type {[string | number, number][]} */ ([
    ['30s', 30],
    ['1m30s', 90],
    ['500ms', 0.5],
    ['1.5h', 5400],
    ['1h0m0.5s', 3600.5],
    ['.5s', 0.5],
    ['2d', 172800],
    ['1d12h', 129600],
    ['100us', 0.0001],
    ['7µs', 0.000007],
    ['0', 0],
    [0, 0],
    ['0s', 0],
    ['100ms200ms', 0.3],
  ]);
  for (const [text, seconds] of table) {
    it(`reads ${text} as ${seconds} s`, () => assert.equal(parseDuration(text), seconds));
  }
  for (const text of ['', 's', '30 s', '30sec', '-5s', '1m30', 'soon', '1e3s', '5d6d']) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => parseDuration(text), RangeError));
  }
  it('refuses a bare number, which k6 would take for milliseconds', () => {
    assert.throws(() => parseDuration(30), /30 has no unit: write "30s" or "30ms"/);
  });
  for (const [seconds, text] of /** @type {[number, string][]} */ ([
    [0.5, '500ms'],
    [30, '30s'],
    [90, '1m30s'],
    [3600, '1h'],
    [5400, '1h30m'],
    [0, '0s'],
  ])) {
    it(`shows ${seconds} s as ${text}`, () => assert.equal(showDuration(seconds), text));
  }
});

describe('amounts of bytes', () => {
  for (const [text, bytes] of /** @type {[string | number, number][]} */ ([
    [10000, 10000],
    ['10000', 10000],
    ['10kB', 10000],
    ['1MiB', 1048576],
    ['1.5 GB', 1.5e9],
    ['0', 0],
  ]))
    it(`reads ${text}`, () => assert.equal(parseBytes(text), bytes));
  for (const text of ['', 'lots', '-1', '10KB', '1e3']) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => parseBytes(text), RangeError));
  }
});

describe('sweeps', () => {
  /** @type {[string, object, unknown[]][]} */
  const table = [
    ['a list', [1, 'a', true], [1, 'a', true]],
    ['steps', { from: 1000, to: 3000, step: 1000 }, [1000, 2000, 3000]],
    ['steps of a tenth, without noise', { from: 0, to: 0.5, step: 0.1 }, [0, 0.1, 0.2, 0.3, 0.4, 0.5]],
    ['steps that do not meet the end', { from: 1, to: 4, step: 2 }, [1, 3]],
    ['steps downwards', { from: 3, to: 1, step: -1 }, [3, 2, 1]],
    ['logarithmic points', { from: 1, to: 10000, points: 5, scale: 'log' }, [1, 10, 100, 1000, 10000]],
    ['logarithmic points, rounded', { from: 1000, to: 10000, points: 4, scale: 'log' }, [1000, 2150, 4640, 10000]],
    ['whole logarithmic points', { from: 1, to: 100, points: 5, scale: 'log' }, [1, 3, 10, 32, 100]],
    [
      'logarithmic points with no room for whole ones',
      { from: 1, to: 10, points: 5, scale: 'log' },
      [1, 1.78, 3.16, 5.62, 10],
    ],
    ['linear points', { from: 0, to: 1, points: 5 }, [0, 0.25, 0.5, 0.75, 1]],
    ['close linear points', { from: 1000, to: 1010, points: 6 }, [1000, 1002, 1004, 1006, 1008, 1010]],
    ['logarithmic points downwards', { from: 100, to: 1, points: 3, scale: 'log' }, [100, 10, 1]],
  ];
  for (const [name, written, values] of table) {
    it(name, () => {
      const cases = expandSweep({ x: written }, [], () => assert.fail('reported'));
      assert.deepEqual(
        cases.map(({ x }) => x),
        values,
      );
    });
  }
  it('several keys make the product, the first varies slowest', () => {
    const cases = expandSweep({ a: [1, 2], b: ['x', 'y'] }, [], () => assert.fail('reported'));
    assert.deepEqual(cases, [
      { a: 1, b: 'x' },
      { a: 1, b: 'y' },
      { a: 2, b: 'x' },
      { a: 2, b: 'y' },
    ]);
  });
  it('nothing swept is one case', () =>
    assert.deepEqual(
      expandSweep({}, [], () => assert.fail()),
      [{}],
    ));

  /** @type {[string, object, RegExp][]} */
  const refused = [
    ['an empty list', [], /no values/],
    ['a step of nothing', { from: 1, to: 2, step: 0 }, /no values/],
    ['a step the wrong way', { from: 1, to: 2, step: -1 }, /no values/],
    ['a value twice', [1, 2, 1], /the value 1 twice/],
    ['a logarithm of nothing', { from: 0, to: 1, points: 3, scale: 'log' }, /bounds above 0/],
    ['one point', { from: 0, to: 1, points: 1 }, /2 to 10000/],
    ['a million values', { from: 0, to: 1e6, step: 1 }, /1000001 values/],
  ];
  for (const [name, written, message] of refused) {
    it(`refuses ${name}`, () => {
      /** @type {[unknown, string][]} */
      const reports = [];
      expandSweep({ x: written }, ['sweep'], (path, text) => reports.push([path, text]));
      assert.equal(reports.length, 1);
      assert.deepEqual(reports[0][0], ['sweep', 'x']);
      assert.match(reports[0][1], message);
    });
  }
});

describe('thresholds', () => {
  it('reads an expression', () => {
    assert.deepEqual(parseThreshold('p(99.9) <= 1.5e3'), {
      aggregation: 'p(99.9)',
      percentile: 99.9,
      op: '<=',
      value: 1500,
    });
    assert.deepEqual(parseThreshold('rate===0'), { aggregation: 'rate', percentile: null, op: '===', value: 0 });
  });
  it('wants 20 observations on the rarer side of a percentile', () => {
    assert.deepEqual([50, 95, 99, 99.9, 5, 100, 0].map(samplesNeeded), [40, 400, 2000, 20000, 400, 1, 1]);
    assert.equal(samplesNeeded(null), 1);
  });
});

describe('placeholders', () => {
  it('take the type of the value when they are the whole string', () => {
    assert.deepEqual(fillPlaceholders({ a: '${n}', b: ['${t}'], c: '${n}/s ${t}' }, { n: 5, t: true }), {
      a: 5,
      b: [true],
      c: '5/s true',
    });
  });
  it('are literal after $$, once nothing is left for a later stage', () => {
    assert.equal(fillPlaceholders('$${n} ${n}', { n: 1 }), '${n} 1');
    assert.equal(
      fillPlaceholders('$${n} ${n} ${row.x}', { n: 1 }, { leave: (name) => name.startsWith('row.') }),
      '$${n} 1 ${row.x}',
    );
  });
  it('do not look into values', () => assert.equal(fillPlaceholders('${a}${b}', { a: '${b}', b: 1 }), '${b}1'));
  it('leave what they do not touch as it is', () => {
    const value = { a: { b: 'plain' }, c: ['${n}'] };
    const filled = fillPlaceholders(value, { n: 1 });
    assert.equal(filled.a, value.a);
    assert.deepEqual(value.c, ['${n}']);
  });
  it('that are not known are reported with their path', () => {
    assert.throws(() => fillPlaceholders({ a: ['x', '${nope}'] }, { n: 1 }, { path: ['top'] }), {
      name: 'SpecError',
      message: 'top.a[1]: there is no ${nope}',
      path: ['top', 'a', 1],
      hint: 'Known: n.',
    });
  });
  it('that are not closed are reported', () => assert.throws(() => fillPlaceholders('${n', { n: 1 }), /is not closed/));
  it('do not take what every object has for a value', () => {
    assert.throws(() => fillPlaceholders('${constructor}', {}), /there is no \$\{constructor\}/);
  });
  it('are found with their places', () => {
    assert.deepEqual(placeholdersOf({ a: '${x}$${y}', b: [{ c: '${row.z}' }] }, ['top']), [
      { name: 'x', path: ['top', 'a'] },
      { name: 'row.z', path: ['top', 'b', 0, 'c'] },
    ]);
  });
});

it('the quantile grid has 101 different probabilities, in order, from 0 to 100', () => {
  assert.equal(quantileGrid.length, 101);
  assert.deepEqual(
    quantileGrid,
    [...new Set(quantileGrid)].sort((a, b) => a - b),
  );
  for (const percent of [0, 50, 90, 95, 99, 99.9, 99.99, 100]) assert.ok(quantileGrid.includes(percent), `${percent}`);
});
