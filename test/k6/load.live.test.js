// The load: executors, the measured window, thresholds, and what plain k6 says at the end.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inParts } from '../../dist/suite/cases/cases.js';
import { drive, scenario, steady } from '../support/k6/drive.js';
import { send, startOf } from '../support/k6/send-load.js';
import { withTarget } from '../support/k6/target.js';

describe('a load as k6 makes it', { concurrency: 4 }, () => {
  test(
    'the window holds the iterations that start in it, and no others',
    withTarget(async (target) => {
      const driven = await send(
        target,
        `executor = "constant-arrival-rate"
rate = 200
duration = "3s"
preAllocatedVUs = 10
window = { from = "1s", to = "2s" }`,
      );
      const seen = (/** @type {number} */ from, /** @type {number} */ to) =>
        target.seen.filter(({ at }) => at - startOf(driven) >= from && at - startOf(driven) < to).length;
      const counted = steady(driven, 'http_req_failed', 'fails');
      assert.equal(target.seen.length, driven.metrics.http_reqs.values.count);
      // the server sees a request after its iteration started: by half a second at most, however busy the machine is
      assert.ok(counted >= seen(1500, 2000) && counted <= seen(1000, 2500), `${counted}, ${seen(1000, 2000)} seen`);
      assert.ok(counted > 50 && counted <= 201, String(counted));
      const metrics = ['iterations', 'http_req_duration', 'http_req_waiting'];
      const counts = metrics.map((metric) => steady(driven, metric, 'count'));
      assert.deepEqual(counts, [counted, counted, counted]);
      const all = driven.metrics.data_sent.values.count;
      assert.ok(Math.abs(steady(driven, 'data_sent', 'count') / all - counted / target.seen.length) < 0.01);
      assert.equal(driven.metrics.bench_ended, undefined);
    }),
  );

  test(
    'a part of a cut window lasts as long as its share, after the same warm-up',
    withTarget(async (target) => {
      const driven = await send(
        target,
        `executor = "constant-arrival-rate"
rate = 100
duration = "5s"
preAllocatedVUs = 5
window = { from = "1s" }`,
        { env: { PART: '3' }, change: (benchCase) => inParts(benchCase, 4) },
      );
      const began = startOf(driven);
      const spread = target.seen[target.seen.length - 1].at - began;
      assert.ok(spread > 1700 && spread < 4500, String(spread)); // uncut, it lasts 5 s
      const counted = steady(driven, 'iterations', 'count');
      assert.ok(counted > 20 && counted <= 150, String(counted)); // uncut, it has 400
    }),
  );

  test(
    'every executor of k6 runs',
    withTarget(async (target) => {
      const loads = {
        'shared-iterations': ['vus = 2\niterations = 7', 7],
        'per-vu-iterations': ['vus = 2\niterations = 7', 14],
        'constant-vus': ['vus = 2\nduration = "1s"', null],
        'ramping-vus': [
          `startVUs = 1
stages = [{ duration = "500ms", target = 3 }, { duration = "500ms", target = 0 }]
gracefulRampDown = "1s"`,
          null,
        ],
        'constant-arrival-rate': ['rate = 300\ntimeUnit = "10s"\nduration = "1s"\npreAllocatedVUs = 2\nmaxVUs = 4', 30],
        'ramping-arrival-rate': [
          'startRate = 20\nstages = [{ duration = "1s", target = 40 }]\npreAllocatedVUs = 4',
          30,
        ],
      };
      await Promise.all(
        Object.entries(loads).map(async ([executor, [load, count]]) => {
          const path = `/${executor}`;
          const request = `[[scenarios.s.requests]]\nget = "${path}"\nthink = "10ms"`;
          const spec = scenario(request, `executor = "${executor}"\ngracefulStop = "2s"\n${load}`);
          const driven = await drive({ spec, env: { BASE_URL: target.url } });
          const seen = target.of(path).length;
          assert.equal(driven.code, 0, `${executor}: ${driven.log}`);
          assert.equal(steady(driven, 'iterations', 'count'), seen, executor);
          if (count === null) assert.ok(seen > 20, `${executor}: ${seen}`);
          else if (executor.endsWith('rate')) assert.ok(seen > 10 && seen <= Number(count) + 1, `${executor}: ${seen}`);
          else assert.equal(seen, count, executor);
        }),
      );
    }),
  );

  test(
    'a missed threshold of level fail ends plain k6 with 99; a warning and one on services do not',
    withTarget(async (target) => {
      const load = `executor = "constant-arrival-rate"
rate = 100
duration = "2s"
preAllocatedVUs = 5
window = { from = "500ms" }
[scenarios.s.thresholds]
http_reqs = ["rate>30", "rate<120", "count<=160"]
"http_req_duration{name:GET /}" = ["p(95)<1000", { expr = "p(95)<0", level = "warn" }]
"http_reqs{status:200}" = "count>40"
memory_bytes = "max<1"`;
      const kept = await send(target, load.replace('memory_bytes', '# memory_bytes'));
      assert.equal(
        kept.code,
        0,
        JSON.stringify(Object.entries(kept.metrics).filter(([, { thresholds }]) => thresholds)),
      );
      const { thresholds = {} } = kept.metrics['http_reqs{phase:steady}'];
      // a rate is one of the window, and not of k6's whole run
      assert.deepEqual(Object.keys(thresholds).sort(), ['count<180', 'count<=160', 'count>45']);
      const missed = await send(target, load.replace('rate>30', 'rate>150'));
      assert.equal(missed.code, 99);
    }),
  );
});
