import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTool } from '../../../dist/base/tools/find-tool.js';
import { expandCases, parseToml } from '../../../dist/suite/cases/cases.js';
import { schemaVersion } from '../../../reports/schema/version.js';

/** @import { Case } from '../../../dist/suite/cases/expand.js' */

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const { path: k6 } = await findTool('k6');
/** What sends the requests of a spec: make players has these tests run with both. */
export const player = process.env.PLAYER === 'native' ? 'native' : 'javascript';

/**
 * @typedef {object} Drive
 * @property {string} spec TOML
 * @property {Record<string, string | Buffer>} [files] beside it
 * @property {Record<string, string>} [env] given by `-e`
 * @property {Record<string, string>} [environment] variables of the k6 process
 * @property {string} [entry] a script of the spec's folder in place of k6/main.js
 * @property {boolean} [native] k6/native.js in its place; by default where PLAYER is "native"
 * @property {(benchCase: Case) => Case} [change] how the case is measured: k6 gets a case.json of it, not the spec
 *
 * @typedef {{ values: Record<string, number>, thresholds?: Record<string, { ok: boolean }> }} DrivenMetric
 * @typedef {{ code: number | null, stdout: string, log: string, metrics: Record<string, DrivenMetric> }} Driven log: one
 *   message a line
 */

/**
 * Runs plain k6 on a spec: what the runner does, and what anybody may do.
 * @param {Drive} drive
 * @returns {Promise<Driven>}
 */
export async function drive({
  spec,
  files = {},
  env = {},
  environment = {},
  entry,
  native = player === 'native',
  change,
}) {
  const suite = await mkdtemp(join(tmpdir(), 'benchfolio-k6-'));
  const folder = join(suite, 'specs', 'shop');
  await mkdir(folder, { recursive: true });
  const all = Object.entries({ ...files, 'spec.toml': spec });
  for (const [name, content] of all) await writeFile(join(folder, name), content);
  const summary = join(folder, 'summary.json');
  const what = change ? { CASE: await caseFile(suite, change, spec) } : { SPEC: join(folder, 'spec.toml') };
  const given = { ...what, SUMMARY: summary, ...env };
  const { code, stdout, stderr } = await run(
    [
      'run',
      '--quiet',
      '--no-usage-report',
      '--no-color',
      '--log-format',
      'json',
      ...Object.entries(given).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
      entry ? join(folder, entry) : join(root, 'k6', native ? 'native.js' : 'main.js'),
    ],
    { K6_AUTO_EXTENSION_RESOLUTION: 'false', ...environment },
  );
  const { metrics } = JSON.parse(await readFile(summary, 'utf8').catch(() => '{"metrics":{}}'));
  await rm(suite, { recursive: true });
  return { code, stdout, log: messages(stderr), metrics };
}

/**
 * @param {string} suite
 * @param {(benchCase: Case) => Case} change
 * @param {string} spec
 */
async function caseFile(suite, change, spec) {
  const [written] = expandCases({ spec: parseToml(spec), system: 'shop' });
  const file = join(suite, 'case.json');
  await writeFile(file, JSON.stringify({ schema: schemaVersion, root: suite, case: change(written) }));
  return file;
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} environment
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
function run(args, environment) {
  return new Promise((done, fail) => {
    const child = spawn(k6, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr += chunk));
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
}

/** @param {string} lines k6's log as JSON */
const messages = (lines) =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      try {
        return JSON.parse(line).msg.trim();
      } catch {
        return line;
      }
    })
    .join('\n');

/**
 * A spec of one scenario; by default one user goes through its requests once.
 * @param {string} requests TOML: [[scenarios.s.requests]] tables, and what belongs to the scenario itself before them
 * @param {string} [load] TOML: the executor and its options
 * @param {string} [top] TOML: what belongs to the spec
 * @returns {string}
 */
export const scenario = (requests, load = 'executor = "per-vu-iterations"', top = '') => `
title = "Shop"
${top}
[environments.local]
url = "http://127.0.0.1:1"
[scenarios.s]
${load}
${requests}
`;

/**
 * The driver's counters in the measured window, those that counted something.
 * @param {Driven} driven
 * @param {string} [tags] name:GET /
 * @returns {Record<string, number>} without their bench_
 */
export const errorsOf = (driven, tags) =>
  Object.fromEntries(
    ['network_errors', 'status_errors', 'failed_expectations', 'exceptions', 'abandoned']
      .map((name) => [name, steady(driven, `bench_${name}`, 'count', tags)])
      .filter(([, count]) => count !== 0),
  );

/**
 * The value of a metric in the measured window.
 * @param {Driven} driven
 * @param {string} metric
 * @param {string} key count, rate, …
 * @param {string} [tags] name:GET /
 */
export const steady = ({ metrics }, metric, key, tags) =>
  metrics[`${metric}{phase:steady${tags ? `,${tags}` : ''}}`]?.values[key] ?? 0;
