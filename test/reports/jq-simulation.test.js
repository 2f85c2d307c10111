import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { normals } from '../support/draws.js';
import { engines, jqIn } from '../support/engines.js';

// The rule for records of different sessions, tried on drawn records: does it keep its budget of false positives when
// sessions differ as it assumes? The draws have a seed: the numbers below do not change from run to run.
const comparisons = 1000;
const metrics = 3;
const budget = 0.01;
const session_sd = 0.1;
const [engine] = await engines();

/**
 * Rounds of one record: a session has its own level, a round its own noise.
 * @param {() => number} draw
 * @param {{ rounds: number, noise: number, factor?: number }} how
 */
function rounds(draw, { rounds: n, noise, factor = 1 }) {
  const level = Math.log(factor) + session_sd * draw();
  return Array.from({ length: n }, () => Math.exp(level + noise * draw()));
}

/**
 * Judges pairs in one run of jq.
 * @param {unknown[]} pairs { base, head, series }
 * @param {number} tolerance
 * @returns {Promise<string[]>} verdicts
 */
async function judged(pairs, tolerance) {
  const folder = mkdtempSync(join(tmpdir(), 'benchfolio-simulation-'));
  writeFileSync(join(folder, 'pairs.json'), JSON.stringify(pairs));
  const settings = `{ session_sd: ${session_sd}, tolerance: ${tolerance}, tolerances: {} }`;
  const program = `import "lib/compare/comparison" as comparison;
    def record: { metrics: { latency_ms_p50: { samples: ., value: .[0], valid: true } } };
    [inputs[]
    | { base: (.base | record), head: (.head | record), series: [.series[] | record], settings: ${settings} }
    | comparison::row("latency_ms_p50"; true; ${budget / metrics}; ${budget / metrics}).verdict]`;
  try {
    return JSON.parse(await jqIn(engine, [program, join(folder, 'pairs.json')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of how many comparisons any metric has one of these verdicts. @param {string[]} verdicts @param {string[]} wanted */
function alarms(verdicts, wanted) {
  const alarmed = verdicts.flatMap((verdict, i) => (wanted.includes(verdict) ? Math.floor(i / metrics) : []));
  return new Set(alarmed).size;
}

/** @param {() => unknown} draw @returns {unknown[]} one for each metric of each comparison */
const drawn = (draw) => Array.from({ length: comparisons * metrics }, draw);

/** Three standard errors above the budget. @param {number} ways in which a comparison may be wrong: worse, or better */
const most = (ways) => comparisons * ways * budget + 3 * Math.sqrt(comparisons * ways * budget);

const situations = [
  { rounds: 5, noise: 0.02 },
  { rounds: 3, noise: 0.1 },
  { rounds: 2, noise: 0.3 },
];
for (const [seed, how] of situations.entries()) {
  test(`unchanged systems, ${how.rounds} rounds, noise ${how.noise}: false positives within the budget`, async () => {
    const draw = normals(seed + 1);
    const pairs = drawn(() => ({ base: rounds(draw, how), head: rounds(draw, how), series: [] }));
    const count = alarms(await judged(pairs, 0), ['better', 'worse']);
    assert.ok(count <= most(2), `${count} of ${comparisons}, at most ${most(2).toFixed(0)}`);
    // and not by never deciding: where the session sd is nearly all there is, the interval is exact
    if (how.noise === 0.02) assert.ok(count >= (comparisons * 2 * budget) / 3, `only ${count} of ${comparisons}`);
  });
}

test('worse by exactly the tolerance: it is called worse no more often than the budget says', async () => {
  const draw = normals(11);
  const how = { rounds: 5, noise: 0.02 };
  const pairs = drawn(() => ({ base: rounds(draw, how), head: rounds(draw, { ...how, factor: 1.05 }), series: [] }));
  const count = alarms(await judged(pairs, 0.05), ['worse']);
  assert.ok(count <= most(1), `${count} of ${comparisons}`);
});

test('a session_sd that is estimated from six records of the series keeps the budget too', async () => {
  const draw = normals(21);
  const how = { rounds: 5, noise: 0.02 };
  const series = () => Array.from({ length: 6 }, () => rounds(draw, how));
  const pairs = drawn(() => ({ base: rounds(draw, how), head: rounds(draw, how), series: series() }));
  const count = alarms(await judged(pairs, 0), ['better', 'worse']);
  assert.ok(count <= most(2), `${count} of ${comparisons}`);
});

test('a change far beyond the session sd is found', async () => {
  const draw = normals(31);
  const how = { rounds: 5, noise: 0.02 };
  const pairs = drawn(() => ({ base: rounds(draw, how), head: rounds(draw, { ...how, factor: 2.2 }), series: [] }));
  assert.ok(alarms(await judged(pairs, 0.02), ['worse']) >= 0.99 * comparisons);
});
