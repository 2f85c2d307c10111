import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findTool } from '../../dist/base/tools/find-tool.js';
import { expandCases, parseToml } from '../../dist/suite/cases/cases.js';
import { k6Options } from '../../dist/suite/cases/k6-options.js';
import { k6Metrics } from '../../dist/suite/cases/metrics.js';
import { readThresholds } from '../../dist/suite/cases/thresholds.js';
import { folderOf, root } from '../support/cli.js';

const run = promisify(execFile);
const folder = await folderOf({});
const k6 = await findTool('k6');
const env = { ...process.env, K6_AUTO_EXTENSION_RESOLUTION: 'false' };

/**
 * Whether k6 takes these options: they are read, and nothing is run.
 * @param {object} options
 */
async function takes(options) {
  const file = join(folder, `${Math.random()}.js`);
  await writeFile(file, `export const options = ${JSON.stringify(options)};\nexport default function () {}\n`);
  return run(k6.path, ['inspect', '--execution-requirements', file], { env }).then(
    () => true,
    () => false,
  );
}

/** Whether k6 begins to run with this threshold; inspecting does not read them. @param {string} key @param {string} expr */
async function takesThreshold(key, expr) {
  const file = join(folder, `${Math.random()}.js`);
  await writeFile(
    file,
    `export const options = ${JSON.stringify({ thresholds: { [key]: [expr] } })};
    export default function () {}\nexport function handleSummary() { return { stdout: 'it ran' }; }\n`,
  );
  const { stdout } = await run(k6.path, ['run', '--no-usage-report', '-q', file], { env }).catch((error) => error);
  return stdout.includes('it ran');
}

/** @param {string} key @param {string} expr */
const weTake = (key, expr) =>
  readThresholds({ [key]: expr }, { custom: false, path: [], report: () => {} }).length === 1;

describe('k6 and we take the same', () => {
  const time = 'http_req_duration';
  for (const [key, expr] of [
    [time, 'p(95)<50'],
    [time, ' p(99.99) >= 1e3 '],
    [time, 'med===.5'],
    [time, 'avg!=5.'],
    [time, 'p95<50'],
    [time, 'p( 95 )<50'],
    [time, 'p(101)<50'],
    [time, 'p(-1)<50'],
    [time, 'count>5'],
    [time, 'med=5'],
    [time, 'med!==5'],
    [time, 'avg<50ms'],
    [time, 'avg<'],
    ['http_req_failed', 'rate<0.01'],
    ['http_req_failed', 'p(95)<50'],
    ['http_reqs', 'rate>-1'],
    ['http_reqs', 'value>1'],
    ['vus', 'value>=0'],
    ['vus', 'max>1'],
    ['nope', 'rate>1'],
    [`${time}{name:GET /,phase:steady}`, 'max<5'],
    [`${time}{name}`, 'max<5'],
    [`${time}{}`, 'max<5'],
    [`${time}{name:a`, 'max<5'],
    [`${time}{name:a:b}`, 'max<5'],
    [`${time}{name:GET /\${id}}`, 'max<5'],
  ]) {
    it(`threshold ${key}: ${expr}`, async () => assert.equal(weTake(key, expr), await takesThreshold(key, expr)));
  }

  const rate = { executor: 'constant-arrival-rate', rate: 10, duration: '1s', preAllocatedVUs: 1 };
  const stages = [{ duration: '1s', target: 1 }];
  for (const scenario of [
    rate,
    { ...rate, rate: 0 },
    { ...rate, rate: 1.5 },
    { ...rate, duration: '999ms' },
    { ...rate, duration: '1d' },
    { ...rate, maxVUs: 0 },
    { ...rate, preAllocatedVUs: -1 },
    { ...rate, preAllocatedVUs: 0, maxVUs: 1 },
    { ...rate, timeUnit: '0s' },
    { ...rate, preAllocatedVUs: undefined },
    { ...rate, gracefulStop: '-1s' },
    { ...rate, gracefulStop: '0s' },
    { executor: 'constant-vus', duration: '1m30.5s' },
    { executor: 'constant-vus', duration: '1s', vus: 0 },
    { executor: 'constant-vus' },
    { executor: 'ramping-vus', stages },
    { executor: 'ramping-vus', stages: [] },
    { executor: 'ramping-vus', startVUs: 0, stages: [{ duration: '1s', target: 0 }] },
    { executor: 'ramping-arrival-rate', stages, preAllocatedVUs: 1 },
    { executor: 'ramping-arrival-rate', stages: [{ duration: '1s' }], preAllocatedVUs: 1 },
    { executor: 'shared-iterations' },
    { executor: 'shared-iterations', vus: 2 },
    { executor: 'per-vu-iterations', vus: 2, maxDuration: '1s' },
    { executor: 'per-vu-iterations', iterations: 0 },
    { executor: 'constant-rate' },
  ]) {
    it(`scenario ${JSON.stringify(scenario)}`, async () => {
      const ours = k6Options(JSON.parse(JSON.stringify(scenario)), [], () => {}) !== null;
      assert.equal(ours, await takes({ scenarios: { s: scenario } }));
    });
  }

  it("metrics: every one of ours that is not the driver's", async () => {
    const names = Object.keys(k6Metrics).filter((name) => !name.startsWith('bench_'));
    const expressions = { trend: 'max>=0', rate: 'rate>=0', counter: 'count>=0', gauge: 'value>=0' };
    const thresholds = Object.fromEntries(names.map((name) => [name, [expressions[k6Metrics[name]]]]));
    const file = join(folder, 'metrics.js');
    await writeFile(file, `export const options = ${JSON.stringify({ thresholds })};\nexport default function () {}\n`);
    await run(k6.path, ['run', '--no-usage-report', '-q', file], { env });
  });
});

it('k6 itself expands a spec with our modules', async () => {
  const file = join(folder, 'expand.js');
  const fixture = join(root, 'test/fixtures/every-key/specs/shop/spec.toml');
  await writeFile(
    file,
    `import { expandCases, parseToml } from '${join(root, 'dist/suite/cases/cases.js')}';
    const cases = expandCases({ spec: parseToml(open('${fixture}')), system: 'shop', profile: 'quick', scenario: 'browse' });
    export default function () {}
    export function handleSummary() { return { stdout: JSON.stringify(cases) }; }`,
  );
  const { stdout } = await run(k6.path, ['run', '--no-usage-report', '-q', file], { env });
  const ours = expandCases({
    spec: parseToml(readFileSync(fixture, 'utf8')),
    system: 'shop',
    profile: 'quick',
    scenario: 'browse',
  });
  assert.equal(ours.length, 8);
  assert.deepEqual(JSON.parse(stdout), ours);
});
