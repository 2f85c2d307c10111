import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../dist/base/tools/find-tool.js';

/**
 * Writes the options that the driver gives k6 for a scenario, for a script by hand to run with the same: executor,
 * tags, and sub-metrics of the window and of each request. The driver's own counters are left out.
 * @param {string} k6 its path
 * @param {{ spec: string, scenario: string, tags: Record<string, string>, file: string }} given spec: its path; tags: what the
 *   driver tags while it runs; file: where the options go, as JSON
 */
export function writeOptions(k6, { spec, scenario, tags, file }) {
  const variables = { SPEC: spec, SCENARIO: scenario, BASE_URL: 'http://127.0.0.1' };
  const args = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const env = { ...process.env, K6_AUTO_EXTENSION_RESOLUTION: 'false' };
  const text = execFileSync(k6, ['inspect', ...args, join(packageRoot, 'k6', 'main.js')], { env, encoding: 'utf8' });
  const { thresholds, ...options } = JSON.parse(text);
  const known = Object.entries(thresholds).filter(([name]) => !name.startsWith('bench_'));
  writeFileSync(file, JSON.stringify({ ...options, thresholds: Object.fromEntries(known), tags, throw: false }));
}
