import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expandCases } from '../../dist/suite/cases/cases.js';
import { loadOf } from '../../dist/suite/cases/executors.js';
import { highestRate, iterationsOf, requestsOf, thinkOf } from '../../dist/suite/cases/load.js';
import { memoryOf, partsOf } from '../../dist/suite/cases/memory.js';

const executors = {
  shared: { executor: 'shared-iterations', vus: 4, iterations: 100 },
  each: { executor: 'per-vu-iterations', vus: 4, iterations: 100 },
  users: { executor: 'constant-vus', vus: 5, duration: '10s' },
  crowd: {
    executor: 'ramping-vus',
    stages: [
      { duration: '10s', target: 20 },
      { duration: '10s', target: 0 },
    ],
  },
  rate: { executor: 'constant-arrival-rate', rate: 120, timeUnit: '1m', duration: '10s', preAllocatedVUs: 3 },
  climb: {
    executor: 'ramping-arrival-rate',
    startRate: 0,
    preAllocatedVUs: 3,
    maxVUs: 9,
    stages: [
      { duration: '10s', target: 100 },
      { duration: '10s', target: 100 },
    ],
  },
};

/** @param {keyof typeof executors} name @param {object} [scenario] */
const caseOf = (name, scenario = {}) =>
  expandCases({
    system: 'x',
    spec: {
      environments: { local: { url: 'http://localhost' } },
      scenarios: { s: { ...executors[name], requests: [{ get: '/' }], ...scenario } },
    },
  })[0];

describe('the load that options ask for', () => {
  /** @type {[keyof typeof executors, number, number | null, number | null][]} name, users, rate, iterations */
  const table = [
    ['shared', 4, null, 100],
    ['each', 4, null, 400],
    ['users', 5, null, null],
    ['crowd', 20, null, null],
    ['rate', 3, 2, 20],
    ['climb', 9, 100, 1500],
  ];
  for (const [name, users, rate, iterations] of table) {
    it(`${executors[name].executor}: users, highest rate, iterations`, () => {
      const load = loadOf(executors[name]);
      assert.deepEqual([load.users, highestRate(load), iterationsOf(load)], [users, rate, iterations]);
    });
  }
  it('counts the iterations of a window only', () => {
    assert.equal(iterationsOf(loadOf(executors.rate), { from_s: 5, to_s: 10 }), 10);
    assert.equal(iterationsOf(loadOf(executors.climb), { from_s: 5, to_s: 15 }), 375 + 500);
  });
  it('adds think time in a sequence, and weighs it otherwise', () => {
    const pauses = [
      { get: '/a', think: '2s' },
      { get: '/b', think: { mean: '4s' } },
    ];
    assert.equal(thinkOf(caseOf('users', { requests: pauses })), 6);
    const weighted = pauses.map((request, i) => ({ ...request, weight: [3, 1][i] }));
    assert.equal(thinkOf(caseOf('users', { requests: weighted })), 2.5);
  });
  it('is exact for rates and iterations, and at the most what users can do otherwise', () => {
    assert.deepEqual(requestsOf(caseOf('rate', { requests: [{ get: '/a' }, { get: '/b' }] })), {
      requests: 40,
      exact: true,
    });
    assert.deepEqual(requestsOf(caseOf('users', { requests: [{ get: '/a', think: '1s' }] })), {
      requests: 50,
      exact: false,
    });
    assert.deepEqual(requestsOf(caseOf('users')), { requests: 150000, exact: false });
  });
});

describe('the memory that k6 takes', () => {
  const hour = { rate: 1000, timeUnit: '1s', duration: '1h', preAllocatedVUs: 1000, window: { from: '10m' } };
  it('is its own, 0.4 MB a user and 330 B a request', () => {
    const { bytes, users, samples, exact } = memoryOf(caseOf('rate', hour));
    assert.deepEqual([bytes, users, samples, exact], [60e6 + 400e6 + 1188e6, 400e6, 1188e6, true]);
  });
  it('makes a constant load be cut into as many parts as fit', () => {
    assert.equal(partsOf(caseOf('rate', hour), 2e9), 1);
    assert.equal(partsOf(caseOf('rate', hour), 1.24e9), 2);
    assert.equal(partsOf(caseOf('rate', { ...hour, window: { from: '0s' } }), 640e6), 7);
  });
  it('counts the warm-up of each part', () => {
    // 460 MB stay, 10 minutes of warm-up are 198 MB, and 50 minutes of window 990 MB
    assert.equal(partsOf(caseOf('rate', hour), 856e6), 5);
    assert.equal(partsOf(caseOf('rate', hour), 855e6), 6);
    assert.equal(partsOf(caseOf('rate', hour), 658e6), null);
  });
  it('makes what cannot be cut be refused', () => {
    assert.equal(partsOf(caseOf('shared', { iterations: 5e6, vus: 10 }), 1e9), null);
    assert.equal(partsOf(caseOf('rate', { preAllocatedVUs: 50000 }), 1e9), null, 'users alone');
  });
  it('does not refuse what only might not fit', () => {
    assert.equal(partsOf(caseOf('crowd', { stages: [{ duration: '1h', target: 5 }] }), 1e9), 1);
    assert.equal(partsOf(caseOf('users', { duration: '1h', window: { from: '30m' } }), 1e9), 1);
    assert.equal(partsOf(caseOf('users', { vus: 50000 }), 1e9), null, 'users are sure');
  });
});
