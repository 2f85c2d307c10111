// What only some cases ask of the driver: phases of faults, groups, users told apart, what is cut off after the window.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { drive, scenario, steady } from '../support/k6/drive.js';
import { env, fault, request, script, withFaults } from '../support/k6/spec-parts.js';
import { withTarget } from '../support/k6/target.js';

describe('phases of faults, groups, users told apart', { concurrency: 8 }, () => {
  test(
    'iterations around a fault have a phase of their own, and its errors say when they were',
    withTarget(async (target) => {
      // near from 1 s to 4 s; the target answers 500 from about 1 s to 2 s, so up to half a second before the fault's end
      const driven = await drive({
        spec: withFaults(
          `[[scenarios.s.requests]]\nget = "/odd"\n${fault}`,
          'executor = "constant-arrival-rate"\nrate = 50\nduration = "5s"\npreAllocatedVUs = 5',
        ),
        env: env(target),
      });
      const start = driven.metrics.bench_started.values.min;
      const seen = target.of('/odd');
      const between = (/** @type {number} */ from, /** @type {number} */ to) =>
        seen.filter(({ at }) => at - start >= from && at - start < to).length;
      const count = (/** @type {string} */ name, key = 'count') => driven.metrics[name]?.values[key] ?? 0;
      assert.equal(count('iterations{phase:fault}') + steady(driven, 'iterations', 'count'), seen.length);
      // the server sees a request after its iteration started: by a second at most, however busy the machine is
      const inFault = count('iterations{phase:fault}');
      assert.ok(inFault >= between(2000, 4000) && inFault <= between(1000, 5000), `${inFault} of ${seen.length}`);
      assert.equal(count('http_req_duration{phase:fault}'), count('iterations{phase:fault}'));
      const errors = driven.metrics['bench_fault_errors{fault:1}'].values;
      assert.equal(errors.count, count('http_req_failed{phase:fault}', 'passes'));
      const failed = seen.filter(({ at }) => at - seen[0].at >= 1000 && at - seen[0].at < 2000);
      assert.ok(errors.count > 10, String(errors.count));
      for (const [said, { at }] of /** @type {const} */ ([
        [errors.min, failed[0]],
        [errors.max, failed[failed.length - 1]],
      ])) {
        const late = said - (at - start - 2500); // after the fault's end, by k6 and by the server
        assert.ok(late > -20 && late < 1000, `${said} ms, ${late} ms after the server`);
      }
      assert.equal(steady(driven, 'bench_iterations_moved', 'count'), 0);
    }),
  );

  test(
    'an iteration of several requests that meets a fault on its way belongs to it from there on',
    withTarget(async (target) => {
      const requests = ['/a', '/b', '/c'].map((path) => request(path, 'think = "2s"')).join('');
      const load = 'executor = "constant-vus"\nvus = 1\nduration = "11s"\ngracefulStop = "10s"';
      const later = fault.replace('"2s"', '"4250ms"').replace('"1500ms"', '"3s"');
      const driven = await drive({ spec: withFaults(requests + later, load), env: env(target) });
      // near from 3.25 s to 7.75 s: /a at 0 s and /b at 2 s are steady; /c at 4 s is not, nor are the next three, from 6 s on
      const inFault = driven.metrics['http_req_duration{phase:fault}'].values.count;
      assert.equal(steady(driven, 'http_req_duration', 'count'), 2);
      assert.equal(inFault, 4);
      assert.equal(steady(driven, 'bench_iterations_moved', 'count'), 1);
      assert.equal(driven.metrics['iterations{phase:fault}'].values.count, 2);
    }),
  );

  test(
    'a script meets faults too',
    withTarget(async (target) => {
      const driven = await drive({
        spec: withFaults(fault, 'script = "own.js"\nexecutor = "constant-vus"\nvus = 1\nduration = "5s"'),
        env: env(target),
        ...script(`const get = bench.request({ get: '/odd' });
      export default bench.iteration(() => { get(); sleep(0.05); });`),
      });
      const { count, max } = driven.metrics['bench_fault_errors{fault:1}'].values;
      assert.ok(count > 5 && max < 0, `${count} ${max}`);
      assert.equal(count, driven.metrics['http_req_failed{phase:fault}'].values.passes);
    }),
  );

  test(
    'requests of a group are timed as one, less the pauses; each run of it by itself',
    withTarget(async (target) => {
      const driven = await drive({
        spec: scenario(
          [
            request('/stream/10/100', 'group = "list view"\nthink = "2s"'),
            request('/stream/10/100', 'group = "list view"\nthink = "2s"'),
            request('/'),
            request('/stream/10/50', 'group = "detail"'),
            request('/stream/10/50', 'group = "list view"'),
            '[scenarios.s.thresholds]\n"group_duration{group:list view}" = "max<1"\n',
          ].join(''),
          'executor = "per-vu-iterations"\niterations = 2',
        ),
        env: env(target),
      });
      const { count, min, max } = driven.metrics['bench_group_duration{phase:steady,group:list view}'].values;
      assert.equal(count, 4);
      assert.ok(min >= 40 && min < 2000, `${min}`);
      assert.ok(max >= 180 && max < 2000, `${max}: each pause is 2 s`);
      assert.equal(driven.metrics['bench_group_duration{phase:steady,group:detail}'].values.count, 2);
      assert.equal(driven.code, 99, 'the threshold is on our groups');
    }),
  );

  test(
    'users told apart: what each received in how long, of what took long enough',
    withTarget(async (target) => {
      const driven = await drive({
        spec: scenario(
          request('/stream/50000/200') + request('/'),
          'executor = "per-vu-iterations"\nvus = 2\niterations = 3\nper_user = true',
        ),
        env: env(target),
      });
      for (const user of ['1', '2']) {
        assert.equal(steady(driven, 'bench_user_requests', 'count', `user:${user}`), 6);
        assert.equal(steady(driven, 'bench_received_bytes', 'count', `user:${user}`), 150_000);
        const ms = steady(driven, 'bench_receiving_ms', 'count', `user:${user}`);
        assert.ok(ms > 450 && ms < 5000, `${ms}`);
      }
    }),
  );

  test(
    'what began after the window is counted, and costs nothing within it',
    withTarget(async (target) => {
      const driven = await drive({
        spec: scenario(
          request('/stream/10/200'),
          'executor = "constant-vus"\nvus = 2\nduration = "2s"\ngracefulStop = "0s"\nwindow = { to = "1s" }',
        ),
        env: env(target),
      });
      const begun = driven.metrics.bench_begun_after.values.count;
      const ended = driven.metrics['iterations{phase:cooldown}'].values.count;
      assert.ok(begun - ended >= 1 && begun - ended <= 2, `${begun} ${ended}`);
      assert.equal(begun + steady(driven, 'iterations', 'count'), target.of('/stream/10/200').length);
    }),
  );
});
