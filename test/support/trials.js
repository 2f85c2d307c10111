import { schemaVersion } from '../../reports/schema/version.js';

/** @import { Trial as KeptTrial } from '../../reports/schema/types.d.ts' */

/** The machine that measured them. */
const fingerprint = /** @type {const} */ ({
  cpu_model: 'A <b>CPU</b>',
  cores: 2,
  memory_bytes: 8e9,
  kernel: '6.1.0',
  os: 'Debian',
  node: '20.0.0',
  k6: '2.2.0',
  runner: 'local',
});

/**
 * A trial as `calibrate` keeps it, of one user and no lanes.
 * @param {number} n its number in its session
 * @param {{ base: Record<string, number[]>, head: Record<string, number[]>, condition?: string, env?: Record<string, string> }} given
 *   base, head: a sample of each block, by metric
 * @returns {KeptTrial}
 */
export function trialOf(n, { base, head, condition = 'aa', env = {} }) {
  const [first] = Object.values(base);
  const side = (/** @type {Record<string, number[]>} */ metrics) => ({
    rounds: first.length,
    verdict: /** @type {const} */ ('pass'),
    memory: null,
    metrics: Object.fromEntries(
      Object.entries(metrics).map(([name, samples]) => [name, { samples, valid: true, count: 1000 * samples.length }]),
    ),
    services: {},
    requests: {},
    thresholds: [],
    findings: [],
    tail: null,
    lanes: null,
  });
  return {
    schema: schemaVersion,
    id: `20260301T101500Z-7-${n}`,
    time: `2026-03-01T11:${10 + n}:00.000Z`,
    condition,
    bursts: false,
    env,
    blocks: first.length,
    timing: { warmup_s: 1, seconds: 4 },
    lanes: null,
    seconds: 31,
    seed: n,
    status: 'measured',
    reason: null,
    system: 'alpha',
    environment: 'single',
    scenario: 'hello',
    case: 'hello,rate=1000',
    values: { rate: 1000 },
    definition: 'sha256:1',
    commit: 'c0ffee',
    dirty: false,
    fingerprint,
    others_cpu_ratio_mean: 0.01,
    pair: { interleaved: null, apart: false, lanes_interleaved: null, falls: [] },
    base: side(base),
    head: side(head),
  };
}
