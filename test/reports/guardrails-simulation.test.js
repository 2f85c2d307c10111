import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { randomOf } from '../../dist/run/session/random-order.js';
import { quantileGrid } from '../../dist/suite/cases/quantiles.js';
import { limits } from '../../dist/suite/cases/tables.js';
import { normals } from '../support/draws.js';
import { engines, jqIn } from '../support/engines.js';

// What a duet watches besides its gate, tried on drawn blocks: is head called worse no more often than alpha says, though
// failures come in bursts and blocks differ? And is a change found that should be? The draws have a seed: the numbers below do not change from run to run.
const comparisons = 4000;
const { guardrails } = limits;
/** The level of one guardrail among several, and a larger one, at which enough false positives are counted to see them. */
const [strict, loose] = [0.001, 0.05];
const [engine] = await engines();

/** Draws a number of events (Poisson, by Knuth for few and by the normal for many). @param {number} seed */
function countsOf(seed) {
  const random = randomOf(seed);
  const draw = normals(seed + 1000);
  return (/** @type {number} */ mean) => {
    if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * draw()));
    const end = Math.exp(-mean);
    let events = 0;
    for (let product = random(); product > end; product *= random()) events += 1;
    return events;
  };
}

/**
 * Judges pairs in one run of jq, each at each level.
 * @param {unknown[]} pairs { base: metric, head: metric }
 * @param {string} name of the guardrail
 * @param {number[]} levels
 * @returns {Promise<string[][]>} verdicts, by level
 */
async function judged(pairs, name, levels) {
  const folder = mkdtempSync(join(tmpdir(), 'benchfolio-simulation-'));
  writeFileSync(join(folder, 'pairs.json'), JSON.stringify(pairs));
  const program = `import "lib/compare/comparison" as comparison;
    [inputs] as [$pairs]
    | [${JSON.stringify(levels)}[] as $alpha
      | [$pairs[]
        | map_values({ rounds: 1, findings: [], metrics: { "${name}": . } })
        | . + { series: [], pair: {}, settings: ({} | comparison::settings(null)) }
        | comparison::guardrail_rows(comparison::guardrails; { guardrail: $alpha, pass: $alpha })[0].verdict]]`;
  try {
    return JSON.parse(await jqIn(engine, [program, join(folder, 'pairs.json')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string[]} verdicts */
const worse = (verdicts) => verdicts.filter((verdict) => verdict === 'worse').length;

/** Three standard errors above what a level of so many comparisons makes. @param {number} level */
const most = (level) => comparisons * level + 3 * Math.sqrt(comparisons * level);

describe('errors', () => {
  /**
   * @param {number} seed
   * @param {{ blocks: number, requests: number, base: number, head: number, bursts?: number, common?: number }} how base,
   *   head: shares that fail; bursts: by how much blocks of one side differ (log scale), common: both sides' blocks
   */
  function drawn(seed, { blocks, requests, base, head, bursts = 0, common = 0 }) {
    const draw = normals(seed);
    const events = countsOf(seed);
    // of a mean that stays what it is
    const level = (/** @type {number} */ sd) => Math.exp(sd * draw() - (sd * sd) / 2);
    return Array.from({ length: comparisons }, () => {
      const both = Array.from({ length: blocks }, () => level(common));
      const side = (/** @type {number} */ share) => {
        const samples = both.map((factor) => events(requests * share * factor * level(bursts)) / requests);
        const value = samples.reduce((sum, x) => sum + x, 0) / blocks;
        return { value, samples, count: blocks * requests, valid: true, unit: 'ratio', direction: 'lower' };
      };
      return { base: side(base), head: side(head) };
    });
  }

  const edge = guardrails.errors_ratio;
  for (const [seed, how] of [
    { blocks: 12, requests: 1000, base: 0, head: edge },
    { blocks: 6, requests: 300, base: 0.001, head: 0.001 + edge },
    { blocks: 12, requests: 1000, base: 0.01, head: 0.01 + edge, bursts: 0.5 },
    { blocks: 6, requests: 2000, base: 0.02, head: 0.02 + edge, bursts: 0.2, common: 1 },
    { blocks: 3, requests: 1000, base: 0.01, head: 0.01 + edge, bursts: 1 },
  ].entries())
    test(`at the edge of the tolerance, ${JSON.stringify(how)}: within alpha`, async () => {
      const found = await judged(drawn(seed + 1, how), 'errors_ratio', [strict, loose]);
      assert.ok(worse(found[0]) <= most(strict), `${worse(found[0])} of ${comparisons} at ${strict}`);
      assert.ok(worse(found[1]) <= most(loose), `${worse(found[1])} of ${comparisons} at ${loose}`);
    });

  test('0.57 % new errors in twelve blocks of 1,000 requests are found', async () => {
    const [found] = await judged(drawn(21, { blocks: 12, requests: 1000, base: 0, head: 0.0057 }), 'errors_ratio', [
      strict,
    ]);
    assert.ok(worse(found) > 0.9 * comparisons, `${worse(found)} of ${comparisons}`);
  });
});

describe('the tail', () => {
  /**
   * Latencies of blocks as records have them: quantiles from p90 on. Blocks differ, by themselves and on both sides alike.
   * @param {number} seed
   * @param {{ blocks: number, requests: number, slow?: number, own?: number, common?: number, count?: number }} how slow:
   *   share of head's requests that take 50 ms more; own, common: by how much blocks differ (log scale)
   */
  function drawn(seed, { blocks, requests, slow = 0, own = 0, common = 0, count = comparisons }) {
    const draw = normals(seed);
    const random = randomOf(seed + 1);
    const p = quantileGrid.filter((percent) => percent >= 90);
    const block = (/** @type {number} */ level, /** @type {number} */ share) => {
      const times = Float64Array.from({ length: requests }, () => {
        const time = 3 * Math.exp(level + 0.3 * draw());
        return random() < share ? time + 50 : time;
      }).sort();
      return p.map((percent) => {
        const at = (percent / 100) * (requests - 1);
        const [low, high] = [times[Math.floor(at)], times[Math.ceil(at)]];
        return low + (high - low) * (at - Math.floor(at));
      });
    };
    return Array.from({ length: count }, () => {
      const both = Array.from({ length: blocks }, () => common * draw());
      const side = (/** @type {number} */ share) => ({
        findings: [],
        metrics: { latency_ms_p99: { valid: true, reason: null } },
        tail: { p, counts: both.map(() => requests), values: both.map((level) => block(level + own * draw(), share)) },
      });
      return { base: side(0), head: side(slow) };
    });
  }

  /** @param {unknown[]} pairs @param {number} alpha @param {number} tolerance */
  async function tails(pairs, alpha, tolerance) {
    const folder = mkdtempSync(join(tmpdir(), 'benchfolio-simulation-'));
    writeFileSync(join(folder, 'pairs.json'), JSON.stringify(pairs));
    const program = `import "lib/compare/comparison" as comparison; import "lib/compare/tail" as tail;
      [inputs[] | . + { series: [], pair: {}, settings: ({} | comparison::settings(null)) } | tail::with_tails
        | comparison::guardrail_rows({ tail_ratio: ${tolerance} }; { guardrail: ${alpha}, pass: ${alpha} })[0].verdict]`;
    try {
      return JSON.parse(await jqIn(engine, [program, join(folder, 'pairs.json')]));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  const few = { count: 1000 };
  for (const [seed, how] of [
    { blocks: 12, requests: 400 },
    { blocks: 6, requests: 1000, own: 0.05 },
    { blocks: 12, requests: 400, own: 0.02, common: 0.2 },
  ].entries())
    test(`nothing changed, ${JSON.stringify(how)}: worse within alpha, with no tolerance at all`, async () => {
      const found = worse(await tails(drawn(seed + 41, { ...how, ...few }), loose, 0));
      const expected = few.count * loose;
      assert.ok(found <= expected + 3 * Math.sqrt(expected), `${found} of ${few.count}`);
    });

  test('50 ms more on 1 % of 12,000 requests are found, at the level of one guardrail among several', async () => {
    const found = worse(
      await tails(
        drawn(51, { blocks: 12, requests: 1000, slow: 0.01, own: 0.01, ...few }),
        strict,
        guardrails.tail_ratio,
      ),
    );
    assert.ok(found > 0.85 * few.count, `${found} of ${few.count}`);
  });
});
