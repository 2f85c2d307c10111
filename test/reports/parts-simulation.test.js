import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { limits } from '../../dist/suite/cases/tables.js';
import { normals } from '../support/draws.js';
import { engines, jqIn } from '../support/engines.js';

// How alpha is shared between the metrics of a case and those of its requests, tried on drawn blocks. Three ways:
//
// - one: one family (Bonferroni over all); with twenty requests the case's own metrics have an eighth of what they had
// - two: two families (hierarchical); half of alpha is the case's, half is shared by the requests, however many they are
// - holm: steps down from one family; its intervals do not hold together for "same", which a pass needs
//
// Each keeps its budget. What differs is what is found: a change of the case, and one of a request among many. The draws
// have a seed: the numbers below do not change from run to run.
const comparisons = 2000;
const blocks = 12;
const own = 3;
const { tolerance, alpha, parts_alpha_ratio: ratio } = limits;

/** Student's quantile for each alpha, as each end of an interval takes it. @type {Map<number, number>} */
const quantiles = new Map();
const parts = 20;
const alphas = [
  ...Array.from({ length: own + parts }, (_, i) => alpha / (i + 1)),
  (alpha * (1 - ratio)) / own,
  (alpha * ratio) / parts,
];

before(async () => {
  const [engine] = await engines();
  const program = `import "lib/stats" as stats; [${JSON.stringify(alphas)}[] | stats::t_quantile(1 - .; ${blocks - 1})]`;
  const found = JSON.parse(await jqIn(engine, ['-n', program]));
  alphas.forEach((each, i) => {
    quantiles.set(each, found[i]);
  });
});

/**
 * A comparison of nothing but noise and effects: for each metric, how many standard errors its mean lies beyond the
 * tolerance. Metrics share a part of their noise; requests have more of it than the case.
 * @param {() => number} draw
 * @param {{ all?: number, one?: number }} how logarithms of how much slower head is: in all metrics, and in the first
 *   request's more
 */
function drawn(draw, { all = 0, one = 0 }) {
  const shared = Array.from({ length: blocks }, () => 0.01 * draw());
  const beyond = (/** @type {number} */ effect, /** @type {number} */ noise) => {
    const logs = shared.map((common) => effect + common + noise * draw());
    const mean = logs.reduce((sum, x) => sum + x, 0) / blocks;
    const variance = logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (blocks - 1);
    return (mean - Math.log(1 + tolerance)) / Math.sqrt(variance / blocks);
  };
  return {
    own: Array.from({ length: own }, () => beyond(all, 0.01)),
    parts: Array.from({ length: parts }, (_, i) => beyond(all + (i === 0 ? one : 0), 0.02)),
  };
}

/** @param {number} beyond @param {number} each */
const isWorse = (beyond, each) => beyond > /** @type {number} */ (quantiles.get(each));

/** @type {Record<string, (one: ReturnType<typeof drawn>) => { own: boolean, parts: boolean }>} */
const ways = {
  none: (one) => by(one, alpha / own, null),
  one: (one) => by(one, alpha / (own + parts), alpha / (own + parts)),
  two: (one) => by(one, (alpha * (1 - ratio)) / own, (alpha * ratio) / parts),
  holm(one) {
    let left = own + parts;
    for (const beyond of [...one.own, ...one.parts].sort((a, b) => b - a)) {
      if (left === 1 || !isWorse(beyond, alpha / left)) break;
      left -= 1;
    }
    return by(one, alpha / left, alpha / left);
  },
};

/** @param {ReturnType<typeof drawn>} one @param {number} own_each @param {number | null} part_each null: none is gated */
const by = (one, own_each, part_each) => ({
  own: one.own.some((beyond) => isWorse(beyond, own_each)),
  parts: part_each !== null && one.parts.some((beyond) => isWorse(beyond, part_each)),
});

/**
 * How often something was found to be worse, by each way of sharing.
 * @param {number} seed
 * @param {Parameters<typeof drawn>[1]} how
 * @returns {Record<string, { own: number, parts: number, any: number }>} shares of the comparisons
 */
function tried(seed, how) {
  const draw = normals(seed);
  const all = Array.from({ length: comparisons }, () => drawn(draw, how));
  const share = (/** @type {boolean[]} */ found) => found.filter(Boolean).length / comparisons;
  return Object.fromEntries(
    Object.entries(ways).map(([name, way]) => {
      const found = all.map(way);
      return [
        name,
        {
          own: share(found.map((one) => one.own)),
          parts: share(found.map((one) => one.parts)),
          any: share(found.map((one) => one.own || one.parts)),
        },
      ];
    }),
  );
}

test('what is at the edge of the tolerance is not called worse more often than alpha says', () => {
  const found = tried(11, { all: Math.log(1 + tolerance) });
  const most = alpha + 3 * Math.sqrt(alpha / comparisons); // three standard errors above alpha
  for (const way of ['one', 'two', 'holm']) {
    assert.ok(found[way].any <= most, JSON.stringify(found));
  }
});

test('a change of the case: a half of alpha of its own loses it less than sharing with all requests', () => {
  const found = tried(12, { all: Math.log(1.04) });
  assert.ok(found.two.own > found.one.own + 0.05, JSON.stringify(found));
  assert.ok(found.two.own > 0.85 * found.none.own, JSON.stringify(found));
});

test('a change of one request of twenty is found as by Holm, but for a few in a hundred', () => {
  const found = tried(13, { one: Math.log(1.06) });
  assert.equal(found.none.any, found.none.own);
  assert.ok(found.two.parts > 0.5 && found.two.parts > found.holm.parts - 0.1, JSON.stringify(found));
});
