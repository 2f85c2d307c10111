import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { compare } from '../../dist/cli/commands/compare.js';
import { keep } from '../../dist/cli/commands/keep.js';
import { report } from '../../dist/cli/commands/report.js';
import { recordText } from '../../dist/records/record-text.js';
import { comparisonProblem } from '../../dist/records/records.js';
import { recordPath } from '../../dist/records/versions.js';
import { rawOf, readJson } from '../support/raw.js';
import { addRun, newSuite, worldIn } from '../support/runs.js';

/** A record of two rounds whose gated metrics are these times those of raw-ok. */
const scaled = (/** @type {number} */ factor, /** @type {Record<string, any>} */ change = {}) => {
  const record = readJson(join(rawOf('ok'), 'record.json'));
  for (const name of ['cpu_ms_per_request', 'latency_ms_p50', 'latency_ms_p95']) {
    const metric = record.metrics[name];
    const value = metric.value * factor;
    Object.assign(metric, { value, samples: [value, value * 1.001] });
  }
  return { ...record, ...change };
};

/** Two files to compare, in a suite of their own. */
async function compared(/** @type {any} */ base, /** @type {any} */ head, bench = '') {
  const suite = newSuite(bench);
  const known = (/** @type {any} */ record) => JSON.parse(JSON.stringify(record)); // without what is undefined
  writeFileSync(join(suite, 'base.json'), recordText(known(base)));
  writeFileSync(join(suite, 'head.json'), recordText(known(head)));
  const world = worldIn(suite);
  const exit = await compare({ base: 'base.json', head: 'head.json', format: 'json' }, world);
  const comparison = JSON.parse(world.text());
  assert.equal(comparisonProblem(comparison), null);
  assert.equal(comparison.exit, exit);
  return { exit, comparison, one: comparison.cases[0] };
}

test('twice as slow is worse: 1; half is better: 0; nearly the same is open: 3', async () => {
  const worse = await compared(scaled(1), scaled(2));
  assert.equal(worse.exit, 1);
  assert.equal(worse.one.verdict, 'fail');
  assert.deepEqual(
    worse.one.metrics.slice(0, 3).map((/** @type {any} */ { gated, verdict }) => [gated, verdict]),
    [
      [true, 'worse'],
      [true, 'worse'],
      [true, 'worse'],
    ],
  );
  assert.match(worse.one.reason, /CPU per request \+100 % \[/);
  const better = await compared(scaled(2), scaled(1));
  assert.equal(better.exit, 0);
  assert.equal(better.one.metrics[0].verdict, 'better');
  const open = await compared(scaled(1), scaled(1.01));
  assert.equal(open.exit, 3);
  assert.equal(open.one.verdict, 'inconclusive');
  assert.match(open.one.reason, /minimum detectable effect/);
});

test('the interval accounts for how much sessions differ: less of it decides more', async () => {
  const bench = '[compare]\nsession_sd = 0.001\ntolerance = 0.05\n';
  const own = (/** @type {any} */ record) => ({ ...record, compare: null });
  assert.equal((await compared(own(scaled(1)), own(scaled(1.01)), bench)).exit, 0);
  assert.equal((await compared(own(scaled(1)), own(scaled(1.1)), bench)).exit, 1);
  const { one } = await compared(own(scaled(1)), own(scaled(1.1)));
  assert.equal(one.verdict, 'inconclusive');
  assert.equal(one.metrics[0].session_sd, 0.1);
});

test('the budget is shared by all gated metrics', async () => {
  const { comparison } = await compared(scaled(1), scaled(1));
  assert.deepEqual(comparison.budget, { alpha: 0.01, metrics: 3, each: 0.01 / 3 });
  const narrow = await compared(scaled(1), scaled(1, { compare: { gate: ['latency_ms_p50'], alpha: 0.05 } }));
  assert.deepEqual(narrow.comparison.budget, { alpha: 0.05, metrics: 1, each: 0.05 });
});

test('not comparable is inconclusive, with the reason: never a pass', async () => {
  const { fingerprint } = scaled(1);
  for (const [change, why] of /** @type {const} */ ([
    [{ definition: 'sha256:other' }, /another definition: a new series starts/],
    [{ fingerprint: { ...fingerprint, cpu_model: 'another' } }, /another CPU \(.*now another\)/],
    [{ fingerprint: { ...fingerprint, cores: 64 } }, /another number of cores/],
    [{ fingerprint: { ...fingerprint, cpu_stepping: 7 } }, /another stepping of the CPU \(unknown, now 7\)/],
    [{ fingerprint: { ...fingerprint, kernel: '9.9' } }, /another kernel \(.*, now 9\.9\)/],
  ])) {
    const { exit, one } = await compared(scaled(1), scaled(1, change));
    assert.equal(exit, 3);
    assert.equal(one.comparison.possible, false);
    assert.match(one.reason, why);
  }
});

test('the same names of a machine that was not as fast are inconclusive, and so is one whose speed nobody knows', async () => {
  const { speed } = scaled(1);
  const slower = (/** @type {any} */ probe, /** @type {number} */ factor) => ({
    ...probe,
    one: { ...probe.one, hash_ms: probe.one.hash_ms * factor },
  });
  for (const [change, why] of /** @type {[any, RegExp | null][]} */ ([
    [{ speed: { before: slower(speed.before, 1.04), after: slower(speed.after, 1.04) } }, null],
    [
      { speed: { before: slower(speed.before, 1.2), after: slower(speed.after, 1.2) } },
      /the machine was 20 % slower than for the baseline \(hashing on one core\)/,
    ],
    [
      { speed: { before: slower(speed.before, 0.8), after: slower(speed.after, 0.8) } },
      /the machine was 20 % faster than for the baseline \(hashing on one core\)/,
    ],
    [
      { speed: { before: speed.before, after: slower(speed.after, 1.3) } },
      /the machine's speed changed by 30 % while this was measured \(hashing on one core\)/,
    ],
    [{ speed: undefined }, /how fast the machine was is not known of this measurement/],
  ])) {
    const { exit, one } = await compared(scaled(1), scaled(2, change));
    assert.equal(one.comparison.possible, why === null, one.reason);
    assert.equal(exit, why === null ? 1 : 3);
    if (why) assert.match(one.reason, why);
  }
  const { one } = await compared(scaled(1, { speed: undefined }), scaled(2));
  assert.match(one.reason, /how fast the machine was is not known of the baseline/);
});

test('one round has no interval; a base of zero has no ratio; an invalid head is invalid', async () => {
  const single = scaled(1);
  for (const metric of Object.values(single.metrics)) metric.samples = metric.samples.slice(0, 1);
  const one = await compared(scaled(1), single);
  assert.equal(one.exit, 3);
  assert.match(one.one.reason, /an interval needs two rounds a side \(base 2, head 1\)/);
  const zero = await compared(scaled(0), scaled(1));
  assert.equal(zero.exit, 3);
  assert.match(zero.one.reason, /zero has no ratio/);
  const findings = [{ id: 'saturated', level: 'error', text: 'Saturated.', metrics: [] }];
  const invalid = await compared(scaled(1), scaled(1, { verdict: 'invalid', findings }));
  assert.equal(invalid.exit, 3);
  assert.equal(invalid.one.verdict, 'invalid');
});

test('a threshold that head missed fails, whatever the comparison says', async () => {
  const head = scaled(0.5);
  head.thresholds[0] = { ...head.thresholds[0], outcome: 'missed', level: 'fail' };
  head.verdict = 'fail';
  assert.equal((await compared(scaled(1), head)).exit, 1);
});

test('versions, runs and folders by name; a case on one side only is inconclusive', async () => {
  const suite = newSuite();
  addRun(suite, 'first', [{ raw: 'ok' }, { raw: 'warmup' }]);
  await keep({ name: 'v1' }, worldIn(suite));
  addRun(suite, 'second', [{ raw: 'ok' }, { raw: 'mixed' }]);
  await keep({ name: 'v2' }, worldIn(suite));
  /** @param {string} base @param {string} head @param {string[]} [systems] */
  const outcome = async (base, head, systems = []) => {
    const world = worldIn(suite);
    const exit = await compare({ base, head, systems, format: 'json' }, world);
    const { cases, baseline } = JSON.parse(world.text());
    const reasons = Object.fromEntries(cases.map((/** @type {any} */ one) => [one.case, one.reason]));
    return { exit, baseline, reasons };
  };
  const { exit, baseline, reasons } = await outcome('v1', 'v2');
  assert.equal(exit, 3);
  assert.equal(baseline, 'v1');
  assert.equal(reasons.mixed, 'v1 has no record of this case');
  assert.equal(reasons.warmup, 'v2 has no record of this case');
  assert.match(reasons.ok, /minimum detectable effect/);
  assert.deepEqual((await outcome('v1', 'latest')).reasons.mixed, 'v1 has no record of this case');
  const byFolder = await outcome('first', 'reports/versions/v2', ['tiny']);
  assert.deepEqual(Object.keys(byFolder.reasons), ['mixed', 'ok', 'warmup']);
  await assert.rejects(outcome('v1', 'v2', ['other']), /neither v1 nor v2 has a record of other/);
  await assert.rejects(outcome('v1', 'v3'), { code: 2, message: /"v3" is not a version, run, record/, hint: /v1, v2/ });
});

test('compare starts nothing and writes nothing', async () => {
  const suite = newSuite();
  addRun(suite, 'first', [{ raw: 'ok' }]);
  await keep({ name: 'v1' }, worldIn(suite));
  const before = readdirSync(suite, { recursive: true }).sort();
  await compare({ base: 'v1', head: 'v1' }, worldIn(suite));
  assert.deepEqual(readdirSync(suite, { recursive: true }).sort(), before);
});

test('a baseline that is asked for and not there is inconclusive; named by bench.toml too', async () => {
  const suite = newSuite();
  addRun(suite, 'one', [{ raw: 'ok' }]);
  const world = worldIn(suite);
  assert.equal(await report({ baseline: 'v9' }, world), 3);
  assert.match(
    world.text(),
    /^Inconclusive: nothing failed, but 1 case is undecided: [^.]*\. Other programs kept 52\.5 % /,
  );
  assert.match(world.text(), /: tiny single ok: no version v9 is kept/);
  const other = newSuite('[compare]\nbaseline = "v1"\n');
  addRun(other, 'one', [{ raw: 'ok' }]);
  assert.equal(await report({}, worldIn(other)), 3);
});

test('against a kept version: the text has both numbers, the interval and the method', async () => {
  const suite = newSuite();
  addRun(suite, 'one', [{ raw: 'ok' }]);
  await keep({ name: 'v1' }, worldIn(suite));
  const world = worldIn(suite);
  assert.equal(await report({ baseline: 'v1' }, world), 3);
  assert.match(world.text(), /ok latency p50 +[\d.]+ ms +[\d.]+ ms +1\.000 \[0\.\d+, \d\.\d+\] +unclear/);
  assert.match(world.text(), /a\sstandard\sdeviation\sof\s10 %\sis\sassumed/);
  assert.ok(
    world
      .text()
      .split('\n')
      .every((line) => line.length <= 100),
  );
});

test('a damaged baseline is inconclusive and named; records of three boots tell how much sessions differ', async () => {
  const suite = newSuite();
  addRun(suite, 'one', [{ raw: 'ok' }]);
  const source = async () => {
    const world = worldIn(suite);
    await report({ baseline: 'v1', format: 'json' }, world);
    return JSON.parse(world.text()).cases[0].comparison.session_sd_source;
  };
  for (const version of ['v1', 'v2', 'v3', 'v4', 'v5']) await keep({ name: version }, worldIn(suite));
  assert.equal(await source(), 'assumed', 'of one afternoon');
  for (const version of ['v1', 'v2', 'v3']) {
    const kept = join(suite, 'reports', 'versions', version, 'tiny', 'single', 'ok.json');
    const record = readJson(kept);
    writeFileSync(kept, recordText({ ...record, fingerprint: { ...record.fingerprint, boot: version } }));
  }
  assert.equal(await source(), '3 boots of the machine');
  const file = join(suite, 'reports', 'versions', 'v1', 'tiny', 'single', 'ok.json');
  writeFileSync(file, '{"schema": 1');
  const damaged = worldIn(suite);
  assert.equal(await report({ baseline: 'v1', format: 'json' }, damaged), 3);
  assert.match(JSON.parse(damaged.text()).cases[0].reason, /v1\/tiny\/single\/ok\.json is truncated or damaged/);
});

test('records can be compared where there is no suite', async () => {
  const suite = newSuite();
  rmSync(join(suite, 'bench.toml'));
  for (const name of ['a.json', 'b.json']) cpSync(join(rawOf('ok'), 'record.json'), join(suite, name));
  const world = worldIn(suite);
  assert.equal(await compare({ base: 'a.json', head: 'b.json' }, world), 3);
  assert.equal(existsSync(join(suite, '.bench')), false);
});

test('one environment can be compared with another', async () => {
  const suite = newSuite();
  for (const [side, environment, factor] of /** @type {const} */ ([
    ['a', 'old', 1],
    ['b', 'new', 2],
    ['b', 'old', 1],
  ])) {
    const record = scaled(factor, { environment });
    const file = join(suite, side, recordPath(record));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, recordText(record));
  }
  const paired = async (/** @type {string | undefined} */ env) => {
    const world = worldIn(suite);
    await compare({ base: 'a', head: 'b', env, format: 'json' }, world);
    return JSON.parse(world.text()).cases;
  };
  const [one, ...others] = await paired('old:new');
  assert.deepEqual([one.environment, one.verdict, others.length], ['new', 'fail', 0]);
  assert.deepEqual(
    (await paired('old')).map((/** @type {any} */ { environment, verdict }) => [environment, verdict !== 'fail']),
    [['old', true]],
  );
  assert.equal((await paired(undefined)).length, 2);
  await assert.rejects(paired('a:b:c'), /must be like v1:v2/);
});
