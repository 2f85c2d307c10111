import assert from 'node:assert/strict';
import { describe, it as test } from 'node:test';
import { loadClock } from '../../dist/run/generator/load-start.js';

describe('the start of the load', () => {
  test("from each executor's line of progress, whatever else k6 prints", () => {
    const lines = {
      'short   [  27% ] 5/5 VUs  1.1s/4s  50.00 iters/s': 1.1,
      'x [  35% ] 3 VUs  0.7s/2s': 0.7,
      'my-x   [  30% ] 3 VUs  00m00.7s/10m0s  09/30 shared iters': 0.7,
      'x [   0% ] 0/4 VUs  01h02m03.4s/2h0m0s': 3723.4,
    };
    for (const [line, seconds] of Object.entries(lines)) {
      const clock = loadClock();
      clock.read('running (02.0s), 3/3 VUs, 9 complete and 0 interrupted iterations', 0);
      clock.read('x   [   0% ] waiting for 1.0s', 0);
      assert.equal(clock.began(), null);
      clock.read(line, 1e7);
      assert.ok(Math.abs(Number(clock.began()) - (1e7 - seconds * 1000 + 50)) < 1, line);
    }
  });

  test('the line that came soonest after it was printed says it best', () => {
    const clock = loadClock();
    for (const [spent, now] of [
      ['0.3', 10_330],
      ['0.3', 10_255],
      ['0.4', 10_520],
    ]) {
      clock.read(`x   [  10% ] 5/5 VUs  ${spent}s/4s  50.00 iters/s`, Number(now));
    }
    assert.equal(clock.began(), 10_005); // it was 0.25 s at least
  });
});
