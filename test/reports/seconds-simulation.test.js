import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { randomOf } from '../../dist/run/session/random-order.js';
import { limits } from '../../dist/suite/cases/tables.js';
import { normals } from '../support/draws.js';
import { engines, jqIn } from '../support/engines.js';

// Under load, second by second: does a head fail that is as fast as its base, and is one found that is slower? Seconds resemble
// their neighbours, single ones stand out, and the slowest requests come together in some of them: all of that is drawn here. The
// draws have a seed: the numbers below do not change from run to run.
const windows = 400;
const seconds = 30;
/** What a metric of the lanes has of alpha, and a larger level, at which enough false positives are counted to see them. */
const [strict, loose] = [0.0012, 0.05];
/** By how much two starts differ for as long as they live (standard deviation, log scale), of which their seconds say nothing. */
const start_sd = limits.age_start_sd.latency_ms_p50;
const [engine] = await engines();

/** Normal quantiles at the percentages that a second is kept at, but the lowest. */
const grid = { p: [0, 50, 90, 95, 99, 100], z: [0, 1.2816, 1.6449, 2.3263, 3.2] };

/**
 * @typedef {object} How
 * @property {number} noise of a side's seconds (log scale)
 * @property {number} [alike] the correlation of neighbours
 * @property {number} [common] noise of both sides
 * @property {number} [stalls] the share of seconds of a side in which a tenth of the requests takes twenty times as long
 * @property {number} [outliers] the share of a side's seconds that are slower as a whole, by much
 * @property {number} [slower] each request of head, a factor
 * @property {number} [stalled] the share of head's seconds with stalls, in place of `stalls`
 * @property {number} [lost] the share of requests that head does not answer
 */

/** @param {number} seed @param {How} how */
function drawn(
  seed,
  { noise, alike = 0, common = 0, stalls = 0, outliers = 0, slower = 1, stalled = stalls, lost = 0 },
) {
  const draw = normals(seed);
  const random = randomOf(seed + 1000);
  return Array.from({ length: windows }, () => {
    const both = Array.from({ length: seconds }, () => common * draw());
    const side = (/** @type {number} */ factor, /** @type {number} */ share, /** @type {number} */ missing) => {
      const start = (start_sd / Math.SQRT2) * draw();
      let last = draw();
      const levels = both.map((level) => {
        const now = last;
        last = alike * last + Math.sqrt(1 - alike * alike) * draw();
        return factor * Math.exp(start + level + noise * now + (random() < outliers ? Math.abs(draw()) : 0));
      });
      const values = levels.map((level) => {
        const stall = random() < share;
        return [0, ...grid.z.map((z, i) => level * Math.exp(0.5 * z) * (stall && i >= 2 ? 20 : 1))];
      });
      const requests = levels.map(() => Math.round(1000 * (1 - missing) + 5 * draw()));
      return {
        requests,
        errors_ratio: Array(seconds).fill(0),
        latency_ms_p50: values.map((of) => of[1]),
        memory_bytes: Array(seconds).fill(1),
        seconds: { p: grid.p, counts: requests, values },
      };
    };
    return { base: side(1, stalls, 0), head: side(slower, stalled, lost) };
  });
}

/** metric: by how much head may be worse */
const tolerances = { latency_ms_p50: 0.05, latency_ms_p95: 0.1, throughput_rps: 0.05, tail_ratio: 0.02 };

/**
 * Judges windows in one run of jq.
 * @param {{ base: object, head: object }[]} pairs what both sides were like from second to second
 * @returns {Promise<Record<string, { strict: number, loose: number, found: number }>>} by metric, for how many head is worse: at the
 *   strict level, at the loose one, and by more than the tolerance at the strict one
 */
async function worse(pairs) {
  const folder = mkdtempSync(join(tmpdir(), 'benchfolio-simulation-'));
  const known = { valid: true, reason: null, count: seconds * 1000, samples: [1] };
  const names = [
    'errors_ratio',
    'latency_ms_p50',
    'latency_ms_p95',
    'latency_ms_p99',
    'throughput_rps',
    'memory_bytes_max',
  ];
  const metrics = Object.fromEntries(names.map((name) => [name, known]));
  writeFileSync(join(folder, 'pairs.json'), JSON.stringify(pairs));
  const program = `import "lib/compare/age" as age; import "lib/compare/comparison" as comparison; import "lib/compare/tail" as tail;
    [inputs[]
      | map_values({ lanes: { age: { age: ., metrics: ${JSON.stringify(metrics)} } } }) + { pair: {} }
      | tail::with_tails
      | age::with_metrics
      | . as $pair
      | ${JSON.stringify(tolerances)}
      | with_entries(.key as $metric
        | .value as $tolerance
        | (if $metric == "tail_ratio" then "difference" else "ratio" end) as $scale
        | (if $metric == "tail_ratio" then 0 else 1 end) as $same
        | { base: $pair.base.lanes.age.metrics[$metric], head: $pair.head.lanes.age.metrics[$metric] }
        | def edge($alpha): comparison::interval($scale; null; 2 * $alpha) | if $metric == "throughput_rps" then 1 / .high else .low end;
          edge(${strict}) as $edge
        | { key: $metric, value: { strict: ($edge > $same), loose: (edge(${loose}) > $same), found: ($edge > $same + $tolerance) } })]
    | . as $all
    | .[0] | with_entries(.key as $metric | .value |= with_entries(.key as $level
        | .value = ([$all[][$metric][$level] | select(.)] | length)))`;
  try {
    return JSON.parse(await jqIn(engine, [program, join(folder, 'pairs.json')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Three standard errors above what a level makes of so many windows. @param {number} level */
const most = (level) => windows * level + 3 * Math.sqrt(windows * level);

describe('nothing changed', () => {
  const quiet = [
    { noise: 0.05 },
    { noise: 0.05, common: 0.3 },
    { noise: 0.1, stalls: 0.1 },
    { noise: 0.1, stalls: 0.4, common: 0.2 },
    { noise: 0.05, outliers: 0.05 },
  ];
  for (const [seed, how] of quiet.entries())
    test(`${JSON.stringify(how)}: within alpha, with no tolerance at all`, async () => {
      // The tail knows nothing of what two starts differ by: its tolerance has to make up for it.
      const { tail_ratio, ...others } = await worse(drawn(seed + 11, how));
      assert.ok(tail_ratio.found <= most(strict), `tail_ratio: ${tail_ratio.found} of ${windows} at ${strict}`);
      for (const [metric, counts] of Object.entries(others)) {
        assert.ok(counts.strict <= most(strict), `${metric}: ${counts.strict} of ${windows} at ${strict}`);
        assert.ok(counts.loose <= most(loose), `${metric}: ${counts.loose} of ${windows} at ${loose}`);
      }
    });

  // How much neighbours resemble each other cannot be seen well in thirty seconds: the tolerance has to make up for it.
  const alike = [
    { noise: 0.05, alike: 0.3 },
    { noise: 0.05, alike: 0.6 },
    { noise: 0.1, alike: 0.4, stalls: 0.1 },
  ];
  for (const [seed, how] of alike.entries())
    test(`neighbours alike, ${JSON.stringify(how)}: within alpha, with the tolerance`, async () => {
      for (const [metric, { found }] of Object.entries(await worse(drawn(seed + 21, how))))
        assert.ok(found <= most(strict), `${metric}: ${found} of ${windows} at ${strict}`);
    });
});

describe('a change is found', () => {
  /** @type {[string, How][]} */
  const changes = [
    ['latency_ms_p50', { noise: 0.1, slower: 1.45 }],
    ['latency_ms_p95', { noise: 0.1, slower: 1.9 }],
    ['tail_ratio', { noise: 0.1, stalled: 0.9 }],
    ['throughput_rps', { noise: 0.1, lost: 0.12 }],
  ];
  for (const [seed, [metric, how]] of changes.entries())
    test(`${metric}, ${JSON.stringify(how)}`, async () => {
      const { found } = (await worse(drawn(seed + 31, how)))[metric];
      assert.ok(found > 0.8 * windows, `${found} of ${windows}`);
    });
});
