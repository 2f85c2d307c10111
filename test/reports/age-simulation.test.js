import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { randomOf } from '../../dist/run/session/random-order.js';
import { limits } from '../../dist/suite/cases/tables.js';
import { normals } from '../support/draws.js';
import { engines, jqIn } from '../support/engines.js';

// Does a head fail for growing, whose base does the same? And is what grows found? Seconds that follow each other resemble each
// other, single ones stand out, and memory rises until it is collected: all of that is drawn here. The draws
// have a seed: the numbers below do not change from run to run.
const windows = 1000;
const parts = 29;
/** Requests of a part. */
const requests = 1000;
/** The level of one guardrail among several, and a larger one, at which enough false positives are counted to see them. */
const [strict, loose] = [0.004, 0.05];
const { guardrails } = limits;
const [engine] = await engines();

/**
 * One number after the other, each like the one before it.
 * @param {() => number} draw standard normal @param {number} alike the correlation of neighbours @param {number} sd
 */
function resembling(draw, alike, sd) {
  let last = draw();
  return () => {
    const now = last;
    last = alike * last + Math.sqrt(1 - alike * alike) * draw();
    return sd * now;
  };
}

/**
 * Judges windows in one run of jq, at each level.
 * @param {{ base: object, head: object }[]} pairs what both sides were like from part to part
 * @param {'latency_growth_ratio' | 'memory_growth_bytes'} metric
 * @param {number} same what the interval of a side that grows like the other holds
 * @returns {Promise<number[]>} for how many head grows more, at the strict level, at the loose one, and by more than the tolerance at
 *   the loose one
 */
async function grown(pairs, metric, same) {
  const folder = mkdtempSync(join(tmpdir(), 'benchfolio-simulation-'));
  const known = { valid: true, reason: null, count: parts * requests, samples: [1] };
  const metrics = { errors_ratio: known, latency_ms_p50: known, memory_bytes_max: known };
  writeFileSync(join(folder, 'pairs.json'), JSON.stringify(pairs));
  const tolerance = same + guardrails[`${metric}{lane:age}`];
  const program = `import "lib/compare/age" as age;
    [inputs[]
      | map_values({ lanes: { age: { age: ., metrics: ${JSON.stringify(metrics)} } } })
      | age::with_metrics
      | map_values(.lanes.age.metrics.${metric})
      | [age::interval(${strict}).low > ${same}, (age::interval(${loose}).low | . > ${same}, . > ${tolerance})]]
    | transpose | map(map(select(.)) | length)`;
  try {
    return JSON.parse(await jqIn(engine, [program, join(folder, 'pairs.json')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Three standard errors above what a level of so many windows makes, one side of it. @param {number} level */
const most = (level) => windows * (level / 2) + 3 * Math.sqrt(windows * (level / 2));

/** @param {(i: number) => number} latency @param {(i: number) => number} memory */
const side = (latency, memory) => ({
  requests: Array(parts).fill(requests),
  errors_ratio: Array(parts).fill(0),
  latency_ms_p50: Array.from({ length: parts }, (_, i) => latency(i)),
  memory_bytes: Array.from({ length: parts }, (_, i) => memory(i)),
});

describe('latency that grows', () => {
  /**
   * @param {number} seed
   * @param {{ noise: number, alike?: number, common?: number, outliers?: number, first?: number, slower?: number }} how noise: of a
   *   side's seconds (log scale), alike: of neighbours, common: of both sides; outliers: share of a side's seconds that stand out, by
   *   much; first: by how much the first one does; slower: head's latency from the tenth second on, a factor
   */
  function drawn(seed, { noise, alike = 0, common = 0, outliers = 0, first = 0, slower = 1 }) {
    const draw = normals(seed);
    const random = randomOf(seed + 1000);
    return Array.from({ length: windows }, () => {
      const both = Array.from({ length: parts }, (_, i) => 0.5 * Math.exp(-i / 4) + common * draw());
      const one = (/** @type {number} */ factor) => {
        const own = resembling(draw, alike, noise);
        const latency = (/** @type {number} */ i) =>
          0.3 *
          Math.exp(
            both[i] +
              own() +
              (random() < outliers ? 2 * Math.abs(draw()) : 0) +
              (i === 0 ? first * Math.abs(draw()) : 0),
          ) *
          (i < 10 ? 1 : factor);
        return side(latency, () => 1);
      };
      return { base: one(1), head: one(slower) };
    });
  }

  for (const [seed, how] of [
    { noise: 0.02 },
    { noise: 0.02, common: 0.3 },
    { noise: 0.03, first: 1 },
    { noise: 0.15, outliers: 0.04 },
  ].entries())
    test(`nothing changed, ${JSON.stringify(how)}: within alpha, with no tolerance at all`, async () => {
      const [atStrict, atLoose] = await grown(drawn(seed + 61, how), 'latency_growth_ratio', 1);
      assert.ok(atStrict <= most(strict), `${atStrict} of ${windows} at ${strict}`);
      assert.ok(atLoose <= most(loose), `${atLoose} of ${windows} at ${loose}`);
    });

  // Of five seconds and ten it cannot be seen well how much neighbours resemble each other: the tolerance has to make up for it.
  for (const [seed, how] of [
    { noise: 0.05, alike: 0.6 },
    { noise: 0.15, alike: 0.5 },
    { noise: 0.2, alike: 0.3, outliers: 0.04 },
  ].entries())
    test(`neighbours alike, ${JSON.stringify(how)}: within alpha, with the tolerance`, async () => {
      const [, , found] = await grown(drawn(seed + 71, how), 'latency_growth_ratio', 1);
      assert.ok(found <= most(loose), `${found} of ${windows} at ${loose}`);
    });

  for (const [seed, how] of [
    { noise: 0.05, alike: 0.3, slower: 1.6 },
    { noise: 0.05, first: 1, slower: 2 },
  ].entries())
    test(`slower after ten seconds, ${JSON.stringify(how)}: found`, async () => {
      const [, , found] = await grown(drawn(seed + 81, how), 'latency_growth_ratio', 1);
      assert.ok(found > 0.9 * windows, `${found} of ${windows}`);
    });
});

describe('memory that grows', () => {
  /**
   * A heap that fills and is collected, on top of what a process keeps.
   * @param {number} seed
   * @param {{ heap: number, period: number, pace?: number, noise?: number, young?: number, leak?: number }} how heap, young: bytes, of
   *   which the young ones are gained slowly after a start; period: seconds from one collection to the next, on average; pace: by how
   *   much a second fills more or less than another (log scale); leak: bytes of a request of head
   */
  function drawn(seed, { heap, period, pace = 0.3, noise = 200_000, young = 10e6, leak = 0 }) {
    const draw = normals(seed);
    const random = randomOf(seed + 1000);
    return Array.from({ length: windows }, () => {
      const one = (/** @type {number} */ bytes) => {
        let filled = random();
        const memory = (/** @type {number} */ i) => {
          filled += (1 / period) * Math.exp(pace * draw());
          if (filled > 1) filled -= 1;
          return 80e6 + heap * filled + young * (1 - Math.exp(-i / 3)) + noise * draw() + bytes * requests * i;
        };
        return side(() => 1, memory);
      };
      return { base: one(0), head: one(leak) };
    });
  }

  for (const [seed, how] of [
    { heap: 0, period: 5 },
    { heap: 8e6, period: 1.5 },
    { heap: 8e6, period: 4 },
  ].entries())
    test(`nothing changed, ${JSON.stringify(how)}: within alpha, with no tolerance at all`, async () => {
      const [atStrict, atLoose] = await grown(drawn(seed + 91, how), 'memory_growth_bytes', 0);
      assert.ok(atStrict <= most(strict), `${atStrict} of ${windows} at ${strict}`);
      assert.ok(atLoose <= most(loose), `${atLoose} of ${windows} at ${loose}`);
    });

  // A window of 20 s sees one collection of a heap that is collected each 45 s, or none.
  const heaps = [8e6, 50e6, 200e6, 500e6];
  const periods = [5, 15, 30, 45, 100, 200];
  const rarely = heaps.flatMap((heap) => periods.map((period) => ({ heap, period })));
  for (const [seed, how] of [
    ...rarely,
    { heap: 200e6, period: 45, pace: 0.05 },
    { heap: 200e6, period: 45, pace: 0.6 },
  ].entries())
    test(`collected rarely, ${JSON.stringify(how)}: within alpha, with the tolerance`, async () => {
      const [atStrict, , found] = await grown(drawn(seed + 101, how), 'memory_growth_bytes', 0);
      assert.ok(found <= most(loose), `${found} of ${windows} at ${loose}`);
      assert.ok(atStrict <= most(strict), `${atStrict} of ${windows} at ${strict}, with no tolerance at all`);
    });

  for (const [seed, how] of [
    { heap: 8e6, period: 4 },
    { heap: 8e6, period: 30 },
    { heap: 8e6, period: 100 },
  ].entries())
    test(`2 kB of each request are found, ${JSON.stringify(how)}`, async () => {
      const [, , found] = await grown(drawn(seed + 141, { ...how, leak: 2000 }), 'memory_growth_bytes', 0);
      assert.ok(found > 0.9 * windows, `${found} of ${windows}`);
    });
});
