// Groups of requests and users told apart.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { drive, errorsOf, scenario, steady } from '../support/k6/drive.js';
import { env, fault, request, script, withFaults } from '../support/k6/spec-parts.js';
import { withTarget } from '../support/k6/target.js';

describe('phases of faults, groups, users told apart', { concurrency: 8 }, () => {
  test(
    'a group that an error ends is not timed',
    withTarget(async (target) => {
      const driven = await drive({
        spec: scenario(request('/status/500', 'group = "g"\non_error = "abandon"') + request('/', 'group = "g"')),
        env: env(target),
      });
      assert.equal(driven.metrics['bench_group_duration{phase:steady,group:g}'].values.count, 0);
      assert.deepEqual(errorsOf(driven), { status_errors: 1, abandoned: 1 });
    }),
  );

  test(
    'a script times its groups, sync and async, and gets an error at once for one that is not declared',
    withTarget(async (target) => {
      const load = 'script = "own.js"\nexecutor = "per-vu-iterations"\niterations = 2\ngroups = ["list view", "later"]';
      const driven = await drive({
        spec: scenario('', load),
        env: env(target),
        ...script(`
      const get = bench.request({ get: '/stream/10/50', think: '1s' });
      export default bench.iteration(async () => {
        if (bench.group('list view', () => get().status) !== 200) throw new Error('its result');
        if (await bench.group('later', async () => { get(); return 7; }) !== 7) throw new Error('its promise');
      });`),
      });
      assert.deepEqual(errorsOf(driven), {});
      for (const name of ['list view', 'later']) {
        const { count, max } = driven.metrics[`bench_group_duration{phase:steady,group:${name}}`].values;
        assert.equal(count, 2);
        assert.ok(max >= 40 && max < 1000, `${name}: ${max}, the pause is 1 s`);
      }
      const wrong = await drive({
        spec: scenario('', load),
        env: env(target),
        ...script(`
      export default bench.iteration(() => bench.group('list viev', () => {}));`),
      });
      assert.match(
        wrong.log,
        /bench\.group: scenario s declares no group "list viev"; it has list view, later\. Add it to/,
      );
      assert.equal(wrong.code, 108);
    }),
  );

  test(
    'a response of unknown size tells no rate, and the log says so',
    withTarget(async (target) => {
      const driven = await drive({
        spec: scenario(
          request('/chunks/50000/200') + request('/chunks/5000/200', 'expect = { body = "x" }'),
          'executor = "per-vu-iterations"\nper_user = true',
        ),
        env: env(target),
      });
      assert.equal(steady(driven, 'bench_user_requests', 'count', 'user:1'), 2);
      assert.equal(steady(driven, 'bench_received_bytes', 'count', 'user:1'), 5000, 'whose body is read');
      assert.match(driven.log, /neither Content-Length nor a body/);
    }),
  );

  test(
    'plain k6 shows groups, and says what it leaves out',
    withTarget(async (target) => {
      const driven = await drive({
        spec: withFaults(
          `[[scenarios.s.requests]]
get = "/"
group = "one"
think = "50ms"
${fault}
[scenarios.s.metrics.heap]
query = "x"
[scenarios.s.thresholds]
http_reqs = "rate>10"
recovery_ms = "max<1000"
heap = "value<1"`,
          'executor = "constant-vus"\nduration = "5s"',
        ),
        env: { ...env(target), SUMMARY: '' },
      });
      const [, count, rate] = /^ {2}requests +(\d+) \(([\d.]+)\/s\)$/m.exec(driven.stdout) ?? [];
      assert.ok(
        Math.abs(Number(count) / Number(rate) - 2) < 0.1,
        `${count} by the 2 s outside of faults are not ${rate}/s`,
      );
      assert.match(driven.stdout, /^ {4}one {2}\d+, p50 /m);
      assert.match(driven.stdout, /^faults are for `benchfolio run` to make/m);
      assert.match(driven.stdout, /^ {2}left {3}recovery_ms max<1000 \(on faults or users: judged by/m);
      assert.match(driven.stdout, /^ {2}left {3}heap value<1 \(from Prometheus: judged by/m);
      assert.match(driven.stdout, /^ {2}met {4}http_reqs\{phase:steady\} count>20$/m);
      assert.equal(driven.code, 0);
    }),
  );
});
