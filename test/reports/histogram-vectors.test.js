// Buckets of latencies are written by the native player (k6/native/hist), and read when a load is reduced
// (reports/lib/reduce/histograms.jq) and while it is shown (src/run/generator/histogram.ts): all are held to one table.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addTrend, emptyHistogram, quantileOf } from '../../dist/run/generator/histogram.js';
import { root } from '../support/cli.js';
import { engines, jqIn } from '../support/engines.js';

/** @import { Trend } from '../../dist/run/generator/histogram.js' */

const file = join(root, 'k6', 'native', 'vectors', 'histograms.json');

/** @type {{ name: string, values: { from: number, step: number, count: number }, trend: Trend, percents: number[], milliseconds: number[] }[]} */
const vectors = JSON.parse(readFileSync(file, 'utf8'));

/** @param {number[][]} found */
function assertNear(found) {
  for (const [i, { name, percents, milliseconds }] of vectors.entries())
    for (const [j, percent] of percents.entries())
      assert.ok(
        Math.abs(found[i][j] - milliseconds[j]) <= 1e-9 * milliseconds[j],
        `${name}: p${percent} is ${found[i][j]}, not ${milliseconds[j]}`,
      );
}

/** @param {Trend[]} trends */
function histogramOf(...trends) {
  const histogram = emptyHistogram();
  for (const trend of trends) addTrend(histogram, trend);
  return histogram;
}

test('in Node.js', () => {
  assertNear(
    vectors.map(({ trend, percents }) => percents.map((percent) => Number(quantileOf(histogramOf(trend), percent, 8)))),
  );
});

for (const engine of await engines())
  test(`in ${engine.name}`, async () => {
    const program =
      'import "lib/reduce/histograms" as histograms; [input[] | .percents as $p | .trend | histograms::of_trend | histograms::quantiles($p)]';
    assertNear(JSON.parse(await jqIn(engine, [program, file])));
  });

test('the quantiles are those of the values, to the resolution of the buckets', () => {
  for (const { name, values, percents, milliseconds } of vectors)
    for (const [i, percent] of percents.entries()) {
      const at = (percent / 100) * (values.count - 1);
      const [low, high] = [Math.floor(at), Math.ceil(at)].map((k) => (values.from + k * values.step) / 1e6);
      const slack = 1 / 256;
      assert.ok(milliseconds[i] >= low * (1 - slack) && milliseconds[i] <= high * (1 + slack), `${name}: p${percent}`);
    }
});

test('two lines together are those of all their values', () => {
  const all = vectors.map(({ trend }) => trend);
  const histogram = histogramOf(...all);
  assert.equal(
    histogram.count,
    all.reduce((sum, { count }) => sum + count, 0),
  );
  assert.equal(quantileOf(histogram, 0, 8), 3 / 1e6);
  assert.equal(quantileOf(emptyHistogram(), 50, 8), null);
});
