import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withDecimalPoints } from '../../dist/site/pages/decimal-points.js';

it('numbers get room for the decimals that others of their column have, words get none', () => {
  const rows = [
    ['0.259', '1', 'a'],
    ['1,001', '22', '9'],
    ['50.4', '–', '1.74 (87%)'],
    ['−3.5', '3', ''],
  ].map((texts) => texts.map((text) => ({ text })));
  assert.deepEqual(
    withDecimalPoints(rows).map((cells) => cells.map(({ pad = '' }) => pad)),
    [
      ['', '', ''],
      ['\u2008\u2007\u2007\u2007', '', ''],
      ['\u2007\u2007', '', ''],
      ['\u2007\u2007', '', ''],
    ],
  );
  assert.deepEqual(withDecimalPoints([]), []);
});
