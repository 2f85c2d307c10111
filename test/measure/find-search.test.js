import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { probeText } from '../../dist/run/find/find-report.js';
import { search } from '../../dist/run/find/search.js';
import { TooShort } from '../../dist/run/find/too-short.js';
import { randomOf } from '../../dist/run/session/random-order.js';
import { underLoad } from '../../dist/suite/cases/cases.js';
import { loadOf } from '../../dist/suite/cases/executors.js';

const bounds = { from: 10, max: 1e5, precision: 0.02, repeats: 5, least: 0.01 };

/** A service that meets a load up to its capacity, which differs from probe to probe. */
function service(/** @type {number} */ capacity, { noise = 0, seed = 1, limit = Infinity } = {}) {
  const random = randomOf(seed);
  return async (/** @type {number} */ load) => ({
    load,
    limited: load > limit,
    disturbed: false,
    met: load <= capacity * (1 + noise * (random() + random() - 1)),
  });
}

/** @param {number[]} values */
const mean = (values) => Math.exp(values.map(Math.log).reduce((sum, one) => sum + one, 0) / values.length);

describe('the search for the highest load', () => {
  for (const capacity of [0.7, 9.9, 137, 1000, 54321]) {
    it(`finds ${capacity}, wherever it begins`, async () => {
      for (const from of [0.5, 10, 3000]) {
        const { estimates, sure, probes, reason } = await search(service(capacity), { ...bounds, from });
        assert.ok(sure < capacity && sure > capacity / 1.06, `${sure}`);
        assert.equal(reason, null);
        assert.equal(estimates.length, 5);
        for (const one of estimates) assert.ok(Math.abs(Math.log(one / capacity)) < 0.02, `${one}`);
        assert.ok(probes.length < 60, `${probes.length} probes`);
      }
    });
  }

  it('finds it where each probe may be off, and says how far estimates differ', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const { estimates, probes } = await search(service(200, { noise: 0.06, seed }), bounds);
      assert.ok(Math.abs(mean(estimates) / 200 - 1) < 0.05, `${estimates}`);
      assert.ok(new Set(estimates).size > 1 && probes.length < 80);
    }
  });

  it('is not misled by a first probe that the machine spoiled', async () => {
    let spoiled = 0;
    const steady = service(200);
    const { estimates } = await search(
      async (load) => (spoiled++ === 0 ? { load, met: false, limited: false, disturbed: false } : steady(load)),
      bounds,
    );
    assert.ok(Math.abs(mean(estimates) / 200 - 1) < 0.02);
  });

  it('goes on beyond a bracket that was wrong', async () => {
    let n = 0;
    const spoiled = async (/** @type {number} */ load) => ({
      load,
      limited: false,
      disturbed: false,
      met: load <= (n++ < 12 ? 50 : 200),
    });
    const { estimates } = await search(spoiled, bounds);
    assert.ok(Math.abs(/** @type {number} */ (estimates.at(-1)) / 200 - 1) < 0.02, `${estimates}`);
  });

  it('repeats probes that other programs spoiled, and takes none of them for a load that is not met', async () => {
    const random = randomOf(7);
    const steady = service(200);
    const { estimates, probes } = await search(async (load) => {
      const disturbed = random() < 0.3;
      return { ...(await steady(load)), ...(disturbed && { disturbed, met: false }) };
    }, bounds);
    for (const one of estimates) assert.ok(Math.abs(Math.log(one / 200)) < 0.02, `${one}`);
    assert.ok(probes.some(({ disturbed }) => disturbed));
  });

  it('says so where other programs never end, after a few probes, with numbers that are rounded', async () => {
    const steady = service(1e5);
    const { reason, probes } = await search(
      async (load) => ({ ...(await steady(load)), disturbed: load > 1000, met: load <= 1000 }),
      { ...bounds, from: 1000 / Math.SQRT2 },
    );
    assert.equal(reason, 'other programs kept the machine busy 4 times in a row at 1,414; 707 is met');
    assert.equal(probes.length, 5);
  });

  it('says when there is nothing to find', async () => {
    assert.match((await search(service(1e9), bounds)).reason ?? '', /^every load up to 100,000 met the thresholds$/);
    assert.match((await search(service(0), bounds)).reason ?? '', /^not even 0.01 is met$/);
    assert.match(
      (await search(service(500, { limit: 300 }), bounds)).reason ?? '',
      /^k6 reached its own limit at 320; 160 is met$/,
    );
    assert.match((await search(service(500, { limit: 5 }), bounds)).reason ?? '', /^k6 reached its own limit at 10$/);
  });

  it('says between which loads the highest lies where k6 was the limit in between', async () => {
    const limitedAt =
      (/** @type {number} */ least, /** @type {number} */ most) => async (/** @type {number} */ load) => ({
        ...(await service(2000)(load)),
        limited: load > least && load < most,
      });
    const reasonOf = async (/** @type {number} */ least, /** @type {number} */ most, from = 1000) =>
      (await search(limitedAt(least, most), { ...bounds, from })).reason;
    assert.equal(
      await reasonOf(2500, 3500),
      'k6 reached its own limit at 2,828; 2,000 is met and 4,000 is not met, so it lies between 2,000 and 4,000',
    );
    assert.equal(await reasonOf(1999, 2001, 8000), 'k6 reached its own limit at 2,000; 4,000 is not met');
  });

  it('ends at a load that cannot be judged, and says how long is enough; nothing is said when that is the first', async () => {
    const judgedFrom =
      (/** @type {number} */ least, /** @type {number} */ capacity) => async (/** @type {number} */ load) => {
        if (load < least) throw new TooShort('Few.', { load, seconds: 5, share: load / least });
        return service(capacity)(load);
      };
    const reasonOf = async (/** @type {number} */ least, /** @type {number} */ capacity) =>
      (await search(judgedFrom(least, capacity), { ...bounds, from: 100 })).reason;
    assert.equal(await reasonOf(80, 1), '100 is not met, and 50 cannot be judged in 5 s (--probe 9s would do)');
    assert.equal(await reasonOf(40, 1), '50 is not met, and 25 cannot be judged in 5 s (--probe 9s would do)');
    assert.equal(await reasonOf(100, 99), '100 is not met, and 50 cannot be judged in 5 s (--probe 11s would do)');
    assert.match(String(await reasonOf(100, 101)), /^10\d(\.\d+)? is not met, and 9\d(\.\d)? cannot be judged in 5 s/);
    await assert.rejects(search(judgedFrom(200, 1), { ...bounds, from: 100 }), {
      code: 2,
      message: '5 s are too short to judge. Few.',
      hint: 'Probe longer (--probe 11s), or begin with a higher load (--from).',
    });
    await assert.rejects(search(judgedFrom(1e6, 1), { ...bounds, from: 100 }), {
      hint: 'Begin with a higher load (--from).',
    });
  });
});

describe('a probe', () => {
  const open = { executor: 'constant-arrival-rate', rate: 50, duration: '30s', preAllocatedVUs: 20, maxVUs: 30 };
  const users = { executor: 'constant-vus', vus: 3, duration: '30s' };
  const item = /** @type {any} */ ({
    k6: open,
    load: loadOf(open),
    window: { from_s: 2, to_s: 30 },
    thresholds: [{ metric: 'http_req_duration', level: 'fail', op: '<', value: 100 }],
    requests: [{}, {}],
    faults: [{}],
    saturation: 'expected',
  });

  it('has whole numbers for k6, users for twice what thresholds allow, and nothing that is meant for the whole scenario', () => {
    const at = underLoad(item, { load: 28.34, seconds: 5 });
    assert.deepEqual(at.k6, {
      executor: 'constant-arrival-rate',
      rate: 283,
      timeUnit: '10s',
      duration: '7s',
      preAllocatedVUs: 20,
    });
    assert.deepEqual([at.window, at.duration_s, at.faults, at.saturation], [{ from_s: 2, to_s: 7 }, 7, [], 'error']);
    assert.deepEqual(underLoad(item, { load: 1000, seconds: 5 }).k6.preAllocatedVUs, 400);
    assert.deepEqual(underLoad(item, { load: 0.5, seconds: 5 }).k6.timeUnit, '100s');
    assert.deepEqual(at.load, {
      kind: 'open',
      users: 20,
      segments: [{ from_s: 0, to_s: 7, from: 28.3, to: 28.3 }],
      iterations: null,
    });
    const closed = underLoad({ ...item, k6: users, load: loadOf(users) }, { load: 6.6, seconds: 5 });
    assert.deepEqual(closed.k6, { executor: 'constant-vus', vus: 7, duration: '7s' });
  });
});

describe('a line for a probe', () => {
  /** @type {any} */
  const threshold = {
    metric: 'http_req_duration',
    expr: 'p(95)<20',
    aggregation: 'p(95)',
    value: 20,
    level: 'fail',
    observed: 1.42,
    outcome: 'met',
  };
  const observed = {
    load: 1000,
    achieved_rps: 1000,
    latency_ms_p50: 1,
    latency_ms_p95: 1.42,
    errors_ratio: 0,
    met: true,
    reason: null,
  };
  /** @type {any} */
  const rate = { parameter: 'rate' };
  it('has what was observed, and what it may be', () => {
    const probe = { observed, thresholds: [threshold], disturbed: false };
    assert.equal(probeText(3, probe, rate), 'probe 3: 1,000 a second: met: p(95) 1.42 ms of 20 ms');
  });
  it('does not say that a load is not met where other programs were to blame', () => {
    const reason = 'Other programs kept 90 % of this machine busy.';
    const probe = { observed: { ...observed, met: false, reason }, thresholds: [threshold], disturbed: true };
    assert.equal(probeText(3, probe, rate), `probe 3: 1,000 a second: says nothing: ${reason}`);
  });
});
