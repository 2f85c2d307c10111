// The load, where it does not depend on time: who sends, from which spec, and what plain k6 says at the end.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { drive, scenario, steady } from '../support/k6/drive.js';
import { get, send, startOf } from '../support/k6/send-load.js';
import { withTarget } from '../support/k6/target.js';

describe('a load as k6 makes it', { concurrency: 4 }, () => {
  test(
    'users that k6 lets go and takes again keep their phase and the name of the request',
    withTarget(async (target) => {
      const driven = await send(
        target,
        `executor = "ramping-vus"
startVUs = 3
stages = [{ duration = "500ms", target = 0 }, { duration = "1s", target = 3 }]`,
      );
      assert.ok(target.seen.length > 0);
      assert.equal(steady(driven, 'iterations', 'count'), driven.metrics.iterations.values.count);
      assert.equal(steady(driven, 'http_req_duration', 'count', 'name:GET /'), driven.metrics.http_reqs.values.count);
    }),
  );

  for (const place of /** @type {const} */ ([0, 1]))
    test(
      `users of a side that takes turns send in its turn: ${place ? 'the odd ones' : 'the even ones'}`,
      withTarget(async (target) => {
        const turns = { turn_s: 0.2, place };
        await drive({
          spec: scenario(get, 'executor = "constant-vus"\nvus = 3\nduration = "2s"'),
          env: { BASE_URL: target.url },
          change: (benchCase) => ({ ...benchCase, turns }),
        });
        const own = target.seen.filter(({ at }) => Math.floor(at / 200) % 2 === place);
        assert.ok(target.seen.length > 20, `${target.seen.length} requests`);
        // One that begins at the end of a turn may arrive after it.
        assert.ok(own.length > 0.7 * target.seen.length, `${own.length} of ${target.seen.length}`);
      }),
    );

  test(
    'the spec is read once for all users, who come at once',
    withTarget(async (target) => {
      const spec = scenario(
        get,
        'executor = "per-vu-iterations"\nvus = 200\niterations = "${n}"\nsweep = { n = [1, 2] }',
      );
      const driven = await drive({ spec, env: { BASE_URL: target.url } });
      assert.equal(target.seen.length, 200);
      assert.equal(driven.log.match(/is swept/g)?.length, 1);
      assert.equal(driven.metrics.bench_started.values.min, driven.metrics.bench_started.values.max);
    }),
  );

  test(
    'without a window everything is measured; iterations that are counted say when they ended',
    withTarget(async (target) => {
      const driven = await send(target, 'executor = "shared-iterations"\nvus = 3\niterations = 30');
      assert.equal(steady(driven, 'http_req_failed', 'fails'), 30);
      const [began, ended] = [startOf(driven), driven.metrics.bench_ended.values.max];
      assert.ok(began <= target.seen[0].at && ended >= target.seen[29].at, `${began} ${ended}`);
    }),
  );

  test(
    'without SUMMARY the end is a short text, with what could not be judged',
    withTarget(async (target) => {
      const service = '[[environments.local.services]]\nname = "app"\ncommand = ["true"]';
      const { code, stdout } = await drive({
        spec: scenario(
          `[[scenarios.s.requests]]
get = "/"
[[scenarios.s.requests]]
get = "/status/500"
[scenarios.s.thresholds]
http_req_failed = "rate<0.1"
memory_bytes = "max<1e9"
`,
          'executor = "per-vu-iterations"\niterations = 10',
        ).replace('[scenarios.s]', `${service}\n[scenarios.s]`),
        env: { BASE_URL: target.url.replace('//', '//me:secret@'), SUMMARY: '' },
      });
      assert.equal(code, 99);
      assert.match(stdout, new RegExp(`^s \\(s\\) at ${target.url}, from 0 s to the end$`, 'm'));
      assert.match(stdout, /^ {2}requests +20$/m);
      assert.match(stdout, /^ {2}errors +0 without a response, 10 unexpected statuses, 0 failed expectations, 0 exc/m);
      assert.match(stdout, /^ {4}GET \/status\/500 {2}10, p50 [\d.]+ ms/m);
      assert.match(stdout, /^ {2}missed http_req_failed\{phase:steady\} rate<0\.1$/m);
      assert.match(stdout, /^ {2}left +memory_bytes max<1e9 \(on services: /m);
      assert.doesNotMatch(stdout, /secret/);
    }),
  );

  test(
    "GOGC and other settings of Go are the caller's",
    withTarget(async (target) => {
      await drive({
        spec: scenario('[[scenarios.s.requests]]\nget = "/"\nheaders = { X-Gogc = "${env.GOGC}" }'),
        env: { BASE_URL: target.url },
        environment: { GOGC: '123' },
      });
      assert.equal(target.seen[0].headers['x-gogc'], '123');
    }),
  );
});
