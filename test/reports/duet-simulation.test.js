import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { alphaSpentAt, interimLooks } from '../../dist/records/interim-looks.js';
import { normals } from '../support/draws.js';
import { engines, jqIn } from '../support/engines.js';
import { trialOf } from '../support/trials.js';

// The whole rule of a duet, as it ships, tried on drawn blocks: several gated metrics, judged look by look until all are decided.
// Does it keep its budget of false positives? The draws have a seed: the numbers below do not change from run to run.
const comparisons = 600;
/** Comparisons of what is clear. */
const clear = 100;
const gate = ['cpu_ms_per_request', 'latency_ms_p50', 'latency_ms_p95'];
const budget = 0.01;
const tolerance = 0.02;
const [engine] = await engines();

/**
 * One side of a block: windows that are skewed and follow each other (AR(1) on the log scale), with an effect of its own
 * for each process, which is what differs between two starts of one program.
 * @param {() => number} draw
 * @param {{ window: number, process: number }} noise
 */
function block(draw, { window, process }) {
  const windows = 8;
  let [state, sum] = [draw(), 0];
  for (let i = 0; i < windows; i += 1) {
    state = 0.5 * state + Math.sqrt(0.75) * draw();
    sum += Math.exp(window * (state + 0.5 * state ** 2));
  }
  return (Math.exp(process * draw()) * sum) / windows;
}

/**
 * A trial of drawn blocks. Metrics share a part of their noise.
 * @param {() => number} draw
 * @param {{ blocks: number, factor?: number, slower?: string[], window?: number, process?: number }} how factor: by which
 *   head is slower, in these metrics
 */
function trial(draw, { blocks, factor = 1, slower = gate, window = 0.05, process = 0.01 }) {
  const both = Array.from({ length: blocks }, () => ({
    base: block(draw, { window, process }),
    head: block(draw, { window, process }),
  }));
  const side = (/** @type {'base' | 'head'} */ name) =>
    Object.fromEntries(
      gate.map((metric) => {
        const by = name === 'head' && slower.includes(metric) ? factor : 1;
        return [metric, both.map((sides) => by * sides[name] * Math.exp(process * draw()))];
      }),
    );
  return trialOf(1, { base: side('base'), head: side('head') });
}

/**
 * How trials end.
 * @param {unknown[]} trials
 * @param {{ blocks: number, tolerance: number }} rule
 * @returns {Promise<{ blocks: number, verdict: string, metrics: { verdict: string }[] }[]>}
 */
async function ended(trials, { blocks, ...rule }) {
  const folder = mkdtempSync(join(tmpdir(), 'benchfolio-simulation-'));
  writeFileSync(join(folder, 'trials.json'), JSON.stringify(trials));
  const whole = { gate, tolerances: {}, guardrails: {}, alpha: budget, interim_looks: interimLooks(blocks), ...rule };
  const program = `import "lib/calibrate/trials" as trials;
    ${JSON.stringify(whole)} as $rule | [inputs[] | trials::at_interim_looks($rule) | trials::ended]`;
  try {
    return JSON.parse(await jqIn(engine, [program, join(folder, 'trials.json')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {{ metrics: { verdict: string }[] }[]} outcomes @param {string[]} wanted */
const having = (outcomes, wanted) =>
  outcomes.filter(({ metrics }) => metrics.some(({ verdict }) => wanted.includes(verdict))).length;

const most = comparisons * budget + 3 * Math.sqrt(comparisons * budget); // three standard errors above the budget

describe('the rule of a duet', () => {
  test('its interim looks spend alpha, and no more', () => {
    for (let blocks = 2; blocks <= 30; blocks += 1) {
      const looks = interimLooks(blocks);
      assert.ok(Math.abs(looks.reduce((sum, { alpha_spent }) => sum + alpha_spent, 0) - 1) < 1e-9, String(blocks));
      assert.equal(looks.at(-1)?.blocks, blocks);
      assert.ok(
        looks.every((look, i) => i === 0 || look.blocks > looks[i - 1].blocks),
        String(blocks),
      );
    }
    assert.deepEqual(interimLooks(12), [
      { blocks: 6, alpha_spent: 0.05 },
      { blocks: 9, alpha_spent: 0.1 },
      { blocks: 12, alpha_spent: 0.85 },
    ]);
    assert.deepEqual(
      [0, 6, 7, 9, 12, 18, 24].map((done) => alphaSpentAt(interimLooks(24), done)),
      [0.05, 0.05, 0.1, 0.1, 0.25, 0.2, 0.4],
    );
  });

  for (const blocks of [4, 24]) {
    test(`${blocks} blocks: seldom wrong where nothing changed, at no tolerance and at its very edge`, async () => {
      const draw = normals(11 + blocks);
      const same = Array.from({ length: comparisons }, () => trial(draw, { blocks }));
      const wrong = having(await ended(same, { blocks, tolerance: 0 }), ['worse', 'better']);
      assert.ok(wrong <= most, `${wrong} of ${comparisons}`);
      const edge = Array.from({ length: comparisons }, () => trial(draw, { blocks, factor: 1 + tolerance }));
      const worse = having(await ended(edge, { blocks, tolerance }), ['worse']);
      assert.ok(worse <= most, `${worse} of ${comparisons}`);
    });
  }

  test('it seldom passes what is worse in one metric by the tolerance, and often what has not changed', async () => {
    const passed = async (/** @type {number} */ factor, /** @type {number} */ seed) => {
      const draw = normals(seed);
      // So quiet that the other metrics keep none from passing.
      const quiet = { blocks: 12, window: 0.004, process: 0.004, slower: gate.slice(1, 2) };
      const trials = Array.from({ length: comparisons }, () => trial(draw, { ...quiet, factor }));
      return (await ended(trials, { blocks: 12, tolerance })).filter(({ verdict }) => verdict === 'pass').length;
    };
    const wrong = await passed(1 + tolerance, 21);
    assert.ok(wrong <= most, `${wrong} of ${comparisons}, at most ${most.toFixed(0)}`);
    const right = await passed(1, 22);
    assert.ok(right >= 0.9 * comparisons, `${right} of ${comparisons}`);
  });

  test('large changes are found, and sooner', async () => {
    const draw = normals(5);
    const changed = Array.from({ length: clear }, () => trial(draw, { blocks: 12, factor: 1.3 }));
    const outcomes = await ended(changed, { blocks: 12, tolerance });
    assert.equal(having(outcomes, ['worse']), clear);
    assert.ok(
      outcomes.filter(({ blocks }) => blocks < 12).length > 0.9 * clear,
      JSON.stringify(outcomes.map(({ blocks }) => blocks)),
    );
  });

  test('what is as noisy as that is not called same', async () => {
    const draw = normals(7);
    const noisy = Array.from({ length: clear }, () => trial(draw, { blocks: 4, process: 0.3 }));
    const same = having(await ended(noisy, { blocks: 4, tolerance }), ['same']);
    assert.ok(same <= 0.02 * clear, String(same));
  });
});
