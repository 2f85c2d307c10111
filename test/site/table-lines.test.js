// The order of a declared table's lines, and the load that a page says was made.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { metricNames as names } from '../../dist/site/model/metric-names.js';
import { loadThatRan } from '../../dist/site/pages/load-that-ran.js';
import { linesOf } from '../../dist/site/pages/table-lines.js';

/** @type {any} a system whose spec declares environments in this order */
const system = {
  name: 's3',
  environments: ['v4', 'v2', 'direct', 'local'].map((name) => ({ name, title: name })),
  scenarios: [{ name: 'get', title: 'get', environments: null }],
};

const entries = system.environments.map((/** @type {{ name: string }} */ { name }) => ({
  system: 's3',
  environment: name,
  case: 'get',
  version: 'v1',
  kept: true,
  record: { scenario: 'get', values: {}, metrics: {}, requests: {} },
}));

/** @param {Record<string, unknown>} wish @param {any[]} [of] */
const order = (wish, of = entries) =>
  linesOf(
    /** @type {any} */ ({ title: '', by: 'environment', scenario: 'get', cells: [], ...wish }),
    of,
    system,
    [],
  ).map(({ by }) => by);

test('lines stand in the order of the spec, or as `where` lists them', () => {
  assert.deepEqual(order({}), ['v4', 'v2', 'direct', 'local']);
  assert.deepEqual(order({ where: { environment: ['local', 'direct', 'v4', 'v2'] } }), ['local', 'direct', 'v4', 'v2']);
  assert.deepEqual(order({ where: { environment: ['v2', 'v4'] } }, entries.slice(0, 2)), ['v2', 'v4']);
});

test('what a change is from stands before what it is to, and the others stay where they are', () => {
  assert.deepEqual(order({ change: { from: 'v2', to: 'v4' } }), ['v2', 'v4', 'direct', 'local']);
  assert.deepEqual(order({ change: { from: 'local', to: 'v2' } }), ['v4', 'local', 'v2', 'direct']);
  assert.deepEqual(order({ change: { from: 'v4', to: 'direct' } }), ['v4', 'v2', 'direct', 'local']);
  const where = { environment: ['direct', 'v4', 'v2'] };
  assert.deepEqual(order({ where, change: { from: 'v2', to: 'v4' } }, entries.slice(0, 3)), ['direct', 'v2', 'v4']);
});

/** @param {Record<string, number>} metrics @param {Record<string, unknown>} values @returns {any} */
const record = (metrics, values = {}, seconds = 90, rounds = 3) => ({
  values,
  rounds,
  window: { from_s: 0, to_s: 30, seconds },
  metrics: Object.fromEntries(
    Object.entries(metrics).map(([name, value]) => [name, { value, unit: name === 'users_max' ? '1' : '1/s' }]),
  ),
});

test('the load of a scenario is the one that ran, not the template of the spec', () => {
  const template = { load: 'rate ${rate}, duration 1m', sweep: ['rate 1000, 95000'] };
  const ran = [
    record({ rate_target_rps: 1000, users_max: 40 }, { rate: 1000 }),
    record({ rate_target_rps: 40_000, users_max: 2000 }, { rate: 40_000 }),
  ];
  assert.deepEqual(loadThatRan(template, ran, names), {
    load: 'target rate 1,000 to 40,000 iterations/s, peak users 40 to 2,000; 30 s measured in each of 3 rounds',
    swept: ['rate 1,000, 40,000'],
  });
  assert.deepEqual(loadThatRan(template, [record({ users_max: 5 }, { heap: '2g' }, 300, 1)], names), {
    load: 'peak users 5; 5 min measured',
    swept: [],
  });
  const lengths = [record({ users_max: 5 }), record({ users_max: 5 }, {}, 60)];
  assert.equal(loadThatRan(template, lengths, names).load, 'peak users 5', 'of two lengths none is said');
  assert.deepEqual(loadThatRan(template, [], names), {
    load: 'not measured yet; the spec says: rate ${rate}, duration 1m',
    swept: ['rate 1000, 95000'],
  });
});
