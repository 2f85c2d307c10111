// How a system stands, where not all of it was measured last.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { combinationKey } from '../../dist/site/collect/systems.js';
import {
  currentOf,
  goneOf,
  lastMeasuredOf,
  latestOf,
  newestOf,
  standingOf,
  unmeasuredOf,
} from '../../dist/site/model/latest.js';

/** @param {Record<string, any>} one @returns {any} an entry of the system "shop" */
const entry = ({ version, scenario = 'hello', rate, verdict = 'pass', ...record }) => ({
  version,
  system: 'shop',
  environment: 'local',
  case: rate === undefined ? scenario : `${scenario},rate=${rate}`,
  record: { scenario, values: rate === undefined ? {} : { rate }, verdict, thresholds: [], findings: [], ...record },
});

/** @param {any[]} entries @param {any[]} [missing] @returns {any} */
const overviewOf = (entries, missing = []) => ({
  duets: [],
  versions: [...new Set(entries.map(({ version }) => version))].map((version) => ({
    version,
    entries: entries.filter((one) => one.version === version),
  })),
  missing,
  outcomes: new Map(),
  compared: new Map(),
});

/** @param {string} name @param {Record<string, unknown>[] | null} [cases] @param {string | null} [status] */
const scenario = (name, cases = [{}], status = null) => ({
  name,
  status,
  cases: cases && new Set(cases.map(combinationKey)),
});

/** @type {any} */
const shop = { name: 'shop', spec: '', scenarios: [scenario('hello', [{ rate: 500 }, { rate: '1000' }])] };

const shown = (/** @type {any[]} */ entries) => entries.map((one) => `${one.version} ${one.case}`);
const full = [entry({ version: 'v1', rate: 500 }), entry({ version: 'v1', rate: 1000, verdict: 'fail' })];

test('a part that was measured again does not hide how the rest stands', () => {
  const overview = overviewOf([...full, entry({ version: 'v2', rate: 500 })]);
  assert.deepEqual(shown(currentOf(shop, overview)), ['v2 hello,rate=500', 'v1 hello,rate=1000']);
  assert.equal(standingOf(shop, overview)[0].verdict, 'fail');
  assert.deepEqual(shown(newestOf(shop, overview)), ['v2 hello,rate=500']);
});

test('a quick pass is no answer to a fail, and a case of the last run counts, whatever the spec says', () => {
  const quick = overviewOf([...full, entry({ version: 'v2', rate: 1000, profile: 'quick' })]);
  assert.deepEqual(shown(currentOf(shop, quick)), ['v1 hello,rate=500', 'v1 hello,rate=1000', 'v2 hello,rate=1000']);
  assert.equal(standingOf(shop, quick)[0].verdict, 'fail');
  const last = { ...entry({ version: 'run', rate: 7, verdict: 'fail' }), lastRun: true };
  assert.ok(shown(currentOf(shop, overviewOf([...full, last]))).includes('run hello,rate=7'));
});

test('a version is as new as what was measured last of it, wherever that stands', () => {
  const [hello, order] = ['2026-11-27T12:45:00Z', '2026-11-27T12:37:00Z'];
  const both = [entry({ version: 'v2', time: hello }), entry({ version: 'v2', scenario: 'order', time: order })];
  const older = entry({ version: 'v1', time: '2026-11-28T00:00:00Z' });
  assert.equal(lastMeasuredOf([older, ...both])?.record.time, hello);
  assert.equal(lastMeasuredOf([]), undefined);
});

test('swept texts stand by the numbers in them', () => {
  const sizes = ['10g', '512m', '2g', '5g'].map((heap) => entry({ version: 'v1', scenario: heap, values: { heap } }));
  const inOrder = latestOf(sizes.map((one) => ({ ...one, record: { ...one.record, scenario: 'order' } })));
  assert.deepEqual(
    inOrder.map(({ record }) => record.values.heap),
    ['2g', '5g', '10g', '512m'],
  );
});

test('what another tool measured stands beside it', () => {
  const overview = overviewOf([...full, entry({ version: 'w1', imported: { format: 'wrk' } })]);
  assert.deepEqual(shown(currentOf(shop, overview)), ['v1 hello,rate=500', 'v1 hello,rate=1000', 'w1 hello']);
  assert.equal(standingOf(shop, overview)[0].verdict, 'fail');
});

test('a case that the spec has no more does not count, unless there is no other', () => {
  const old = entry({ version: 'v0', rate: 9, verdict: 'fail' });
  assert.deepEqual(shown(currentOf(shop, overviewOf([old, ...full]))), ['v1 hello,rate=500', 'v1 hello,rate=1000']);
  assert.deepEqual(shown(currentOf(shop, overviewOf([old]))), ['v0 hello,rate=9']);
});

test('what the spec has no more is shown as it stood last, and never counts', () => {
  const gone = [
    entry({ version: 'v1', scenario: 'upload', verdict: 'pass' }),
    entry({ version: 'v2', scenario: 'upload', verdict: 'fail' }),
  ];
  const old = entry({ version: 'v0', rate: 9, verdict: 'fail' });
  const only = entry({ version: 'v1', rate: 500 });
  const overview = overviewOf([old, only, ...gone]);
  assert.deepEqual(
    goneOf(shop, overview).map((entries) => shown(entries)),
    [['v0 hello,rate=9'], ['v1 upload', 'v2 upload']],
  );
  assert.deepEqual(shown(currentOf(shop, overview)), ['v1 hello,rate=500']);
  assert.deepEqual(
    standingOf(shop, overview).map(({ verdict, count }) => [verdict, count]),
    [['pass', 1]],
  );
  // one of which nothing else was measured still stands for its scenario, and without a spec all do
  assert.deepEqual(goneOf(shop, overviewOf([old])), []);
  assert.deepEqual(goneOf({ ...shop, spec: null, scenarios: [] }, overview), []);
});

test('a scenario that nobody has measured is named, and one that nobody means to measure is not', () => {
  const system = {
    ...shop,
    scenarios: [...shop.scenarios, scenario('upload'), scenario('later', [{}], 'todo'), scenario('broken', null)],
  };
  const overview = overviewOf(full, [{ system: 'shop', case: 'broken,rate=1', verdict: 'error' }]);
  assert.deepEqual(unmeasuredOf(system, overview), ['upload']);
});
