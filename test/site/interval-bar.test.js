import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervalAxis, intervalBar, reachOf } from '../../dist/site/charts/interval-bar.js';

/** @param {number | null} ratio @param {number | null} low @param {number | null} high @param {object} [more] */
const metric = (ratio, low, high, more = {}) => ({
  scale: 'ratio',
  ratio,
  low,
  high,
  tolerance: 0.05,
  verdict: 'same',
  ...more,
});

/** Where the dot is. @param {string} svg */
const dotOf = (svg) => Number(/<circle cx="([\d.]+)"/.exec(svg)?.[1]);

test('no change is in the middle, more is to the right, and a reciprocal is as far to the left', () => {
  const reach = Math.log(2);
  assert.equal(dotOf(intervalBar(metric(1, 0.99, 1.01), reach)), 110);
  assert.equal(dotOf(intervalBar(metric(2, 1.9, 2), reach)), 220);
  assert.equal(dotOf(intervalBar(metric(Math.SQRT1_2, 0.7, 0.72), reach)), 55);
  const [, x, width] =
    /<rect class="tolerance" x="([\d.]+)" y="0" width="([\d.]+)"/.exec(intervalBar(metric(1, 1, 1), reach)) ?? [];
  assert.ok(Math.abs(Number(x) + Number(width) / 2 - 110) < 0.1, 'the band lies around no change');
});

test('what reaches beyond the axis ends in an arrow at its edge', () => {
  const svg = intervalBar(metric(1e300, 1e-300, 1e308), Math.log(1.5));
  assert.match(svg, /M0 11H220/);
  assert.equal(svg.match(/Z"/g)?.length, 2);
  assert.equal(dotOf(svg), 220);
  assert.doesNotMatch(svg, /NaN|Infinity/);
});

test('a difference, what has no interval and what is no ratio have no bar', () => {
  assert.equal(intervalBar(metric(0.01, 0, 0.02, { scale: 'difference' }), 1), '');
  assert.equal(intervalBar(metric(null, null, null), 1), '');
  assert.equal(intervalBar(metric(1, -1, 2), 1), '');
});

test('the axis reaches as far as the widest interval, within bounds, and its labels stand apart', () => {
  assert.ok(Math.abs(reachOf([]) - 1.05 * Math.log(1.12)) < 1e-9);
  assert.ok(Math.abs(reachOf([metric(1.2, 1.1, 1.3)]) - 1.05 * Math.log(1.3)) < 1e-9);
  assert.ok(Math.abs(reachOf([metric(1, 1e-9, 1)]) - 1.05 * Math.log(8)) < 1e-9);
  const open = metric(1.1, 0.1, 9, { verdict: 'unclear' });
  assert.ok(
    Math.abs(reachOf([metric(1.2, 1.1, 1.3), open]) - 1.05 * Math.log(1.3)) < 1e-9,
    'the undecided do not stretch it',
  );
  for (const reach of [0.12, 0.3, 1, 2.1]) {
    const places = [...intervalAxis(reach).matchAll(/<text x="([\d.]+)" y="11">([^<]+)</g)];
    assert.ok(places.some(([, x, text]) => x === '110' && text === '0 %'));
    const sorted = places.map(([, x]) => Number(x)).sort((a, b) => a - b);
    assert.ok(
      sorted.every((x, i) => i === 0 || x - sorted[i - 1] >= 46),
      sorted.join(' '),
    );
  }
});
