import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes the options that the driver gives k6 for a scenario, for a script by hand to run with the same: executor,
 * tags, and sub-metrics of the window and of each request. The driver's own counters are left out.
 * @param {string} spec path
 * @param {string} scenario
 * @param {Record<string, string>} tags what the driver tags while it runs
 * @param {string} file JSON
 */
export async function writeOptions(spec, scenario, tags, file) {
  const env = { SPEC: spec, SCENARIO: scenario, BASE_URL: 'http://127.0.0.1' };
  const open = (/** @type {string} */ path) => readFileSync(path, 'utf8');
  Object.assign(globalThis, { __ENV: env, open }); // as in k6
  const { makePlan } = await import('../../../k6/plan/index.js');
  const { options } = makePlan(env);
  const known = Object.entries(options.thresholds).filter(([name]) => !name.startsWith('bench_'));
  const thresholds = Object.fromEntries(known);
  writeFileSync(file, JSON.stringify({ ...options, thresholds, tags, throw: false }));
}
