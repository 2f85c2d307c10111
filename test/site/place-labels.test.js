// Names of lines are put beside them where there is room, and nowhere else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compile } from 'vega-lite';
import { drawLabelled } from '../../dist/site/charts/draw.js';
import { placeLabels } from '../../dist/site/charts/place-labels.js';
import { prepare } from '../../dist/site/charts/prepare.js';
import { root } from '../support/cli.js';

const plot = { width: 300, height: 150 };
const names = [
  { slot: 1, text: 'one process' },
  { slot: 2, text: 'cluster' },
];

/** A line of a point each ten pixels. @param {unknown} slot @param {(x: number) => number} height */
const line = (slot, height) => ({
  slot,
  points: Array.from({ length: 31 }, (_, i) => ({ x: 10 * i, y: height(10 * i) })),
});
const placed = (/** @type {Parameters<typeof placeLabels>[1]} */ lines) => placeLabels(names, lines, plot);

describe('the name of a line', () => {
  it('ends where its line does, just above it', () => {
    assert.deepEqual(placed([line(1, () => 100), line(2, () => 50)]), [
      { slot: 1, text: 'one process', left: 229.6, middle: 91 },
      { slot: 2, text: 'cluster', left: 255.2, middle: 41 },
    ]);
  });

  it('is beneath it where there is no room above, and clear of a slope', () => {
    const [one, other] = placed([line(1, (x) => 120 - x / 10), line(2, () => 5)]);
    assert.ok(one.middle < 90 - 6, 'no part of its line is higher');
    assert.equal(other.middle, 14);
  });

  it('is on the other side of its line where another is near, and farther to the left where lines meet', () => {
    const [upper, lower] = placed([line(1, () => 60), line(2, () => 64)]);
    assert.deepEqual([upper.middle, lower.middle], [51, 73]);
    const fan = [line(1, () => 75), line(2, (x) => x / 5 + 15), line(3, (x) => 135 - x / 5)];
    assert.ok(placed(fan)[0].left < 150);
  });

  it('is left out where there is no room, and where it is too long', () => {
    assert.deepEqual(placed([60, 64, 20, 40, 80, 100, 120, 140].map((y, i) => line(i + 1, () => y))), []);
    assert.deepEqual(placeLabels([{ slot: 1, text: 'a'.repeat(40) }], [line(1, () => 75)], plot), []);
  });
});

it('a chart has the names that have a place, for the picture and the browser', async () => {
  const read = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(join(root, 'site', 'assets', 'charts', name), 'utf8'));
  const { drawn } = prepare(read('time.vl.json'), read('theme.json'));
  const vega = JSON.stringify(compile(/** @type {any} */ (drawn)).spec);
  const t = Array.from({ length: 30 }, (_, i) => i);
  const lines = [
    { slot: 1, who: 'app', t, v: t.map(() => 10) },
    { slot: 2, who: 'k6', t, v: t.map(() => 30) },
    { slot: 3, who: 'other', t, v: t.map(() => 30.1) },
  ];
  const given = [{ slot: [1, 2, 3], text: ['app', 'k6', 'a name that is as long as half of the plot'] }];
  const { svg, data } = await drawLabelled(vega, { spans: [], rules: [], lines, names: given });
  assert.match(svg, /<text[^>]*fill="var\(--s1\)">app<\/text>/);
  assert.doesNotMatch(svg, />a name/);
  assert.ok(data.names[0].text.includes('app'));
  assert.deepEqual(Object.keys(data.names[0]), ['slot', 'text', 'left', 'middle']);
  assert.deepEqual(data.lines, lines);
});
