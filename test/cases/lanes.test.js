// The lanes of a duet: what becomes of a scenario's own load.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expandCases, loadCase, mostIterations, parseToml, saturationCase } from '../../dist/suite/cases/cases.js';

/** @param {string} load @param {string} [think] */
function caseOf(load, think) {
  const spec = parseToml(`title = "Shop"
[environments.local]
url = "http://127.0.0.1:9"
[scenarios.s]
${load}
[[scenarios.s.requests]]
get = "/"
${think ? `think = "${think}"` : ''}
[scenarios.s.thresholds]
http_req_duration = "p(95)<50"
`);
  return expandCases({ spec, system: 'shop' })[0];
}

const timing = { warmup_s: 1, seconds: 2 };

describe('the load lane', () => {
  const loads = {
    'executor = "constant-arrival-rate"\nrate = 300\nduration = "30s"\npreAllocatedVUs = 50': {
      executor: 'constant-arrival-rate',
      rate: 300,
      preAllocatedVUs: 50,
    },
    'executor = "ramping-arrival-rate"\nstartRate = 60\ntimeUnit = "1m"\npreAllocatedVUs = 1\nmaxVUs = 9\nstages = [{ duration = "9s", target = 600 }, { duration = "9s", target = 0 }]':
      { executor: 'constant-arrival-rate', rate: 600, timeUnit: '1m', preAllocatedVUs: 1, maxVUs: 9 },
    'executor = "constant-vus"\nvus = 7\nduration = "30s"': { executor: 'constant-vus', vus: 7 },
    'executor = "ramping-vus"\nstartVUs = 1\nstages = [{ duration = "9s", target = 40 }, { duration = "9s", target = 3 }]':
      {
        executor: 'constant-vus',
        vus: 40,
      },
    'executor = "shared-iterations"\nvus = 3\niterations = 90': { executor: 'constant-vus', vus: 3 },
    'executor = "per-vu-iterations"\nvus = 4\niterations = 90': { executor: 'constant-vus', vus: 4 },
  };
  for (const [load, k6] of Object.entries(loads)) {
    it(`is as high as the scenario gets: ${load.slice(0, 34)}`, () => {
      const lane = loadCase(caseOf(load), timing);
      assert.deepEqual(lane.k6, { ...k6, duration: '3s', gracefulStop: '5s' });
      assert.deepEqual([lane.window, lane.duration_s], [{ from_s: 1, to_s: 3 }, 3]);
      assert.equal(lane.lane, 'load');
    });
  }

  it('begins its window when all users of an open load have connected', () => {
    const open = (/** @type {number} */ users) =>
      `executor = "constant-arrival-rate"\nrate = 1000\nduration = "30s"\npreAllocatedVUs = ${users}`;
    for (const [users, from_s] of [
      [100, 1],
      [1000, 2.25],
      [9000, 4],
    ]) {
      const lane = loadCase(caseOf(open(users)), timing);
      assert.deepEqual([lane.window, lane.duration_s], [{ from_s, to_s: from_s + 2 }, from_s + 2]);
    }
  });

  it('keeps the pauses, and tells the most that it may ask for', () => {
    const load = 'executor = "constant-vus"\nvus = 10\nduration = "30s"';
    const lane = loadCase(caseOf(load, '500ms'), timing);
    assert.equal(lane.requests?.[0].think, '500ms');
    assert.equal(mostIterations(lane), 20);
    assert.equal(mostIterations(loadCase(caseOf(load), timing)), Infinity);
  });
});

it('the saturation probe has users without pauses, whatever the scenario says', () => {
  const load = 'executor = "constant-arrival-rate"\nrate = 3\nduration = "30s"\npreAllocatedVUs = 50';
  const lane = saturationCase(caseOf(load, '5s'), { users: 30, warmup_s: 1, seconds: 1 });
  assert.deepEqual(lane.k6, { executor: 'constant-vus', vus: 30, duration: '2s', gracefulStop: '5s' });
  assert.equal(lane.requests?.[0].think, null);
  assert.equal(lane.saturation, 'expected');
});
