import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { partsOf, steadyTime } from '../../dist/suite/cases/cases.js';
import { app, cases, get } from '../support/specs.js';

describe('faults', () => {
  const faults =
    'faults = [{ at = "20s", service = "db", action = "pause", for = "1500ms", recover_within = "1s" }, { at = "5s", service = "app", action = "stop", for = "2s" }]';
  const quick = `\n[profiles.quick.scenarios.s]\nduration = "12s"\nfaults = [{ at = "9s" }, { for = "1s", recover_within = "1s" }]`;
  it('come in the order of their times', () => {
    assert.deepEqual(cases(faults + get, { rest: app })[0].faults, [
      { service: 'app', action: 'stop', at_s: 5, for_s: 2, recover_within_s: 5 },
      { service: 'db', action: 'pause', at_s: 20, for_s: 1.5, recover_within_s: 1 },
    ]);
  });
  it('are moved by a profile, by their position', () => {
    assert.deepEqual(cases(faults + get + quick, { rest: app, profile: 'quick' })[0].faults, [
      { service: 'app', action: 'stop', at_s: 5, for_s: 1, recover_within_s: 1 },
      { service: 'db', action: 'pause', at_s: 9, for_s: 1.5, recover_within_s: 1 },
    ]);
  });
  it('may be swept', () => {
    const swept =
      'sweep = { down = [1, 2] }\nfaults = [{ at = "5s", service = "app", action = "stop", for = "${down}s" }]';
    assert.deepEqual(
      cases(swept + get, { rest: app }).map((benchCase) => benchCase.faults[0].for_s),
      [1, 2],
    );
  });
  it('are never cut into parts', () => {
    const [whole] = cases(get, { rest: app });
    const [cut] = cases(faults + get, { rest: app });
    assert.ok(Number(partsOf(whole, 1e8)) > 1);
    assert.equal(partsOf(cut, 1e8), 1);
  });
  it('leave the rest of the window, a second before each being theirs', () => {
    assert.equal(
      steadyTime(
        [
          { at_s: 5, for_s: 2, recover_within_s: 5 },
          { at_s: 28, for_s: 1, recover_within_s: 1 },
        ],
        { from_s: 0, to_s: 29 },
      ),
      29 - 8 - 2,
    );
    assert.equal(steadyTime([{ at_s: 5, for_s: 2, recover_within_s: 5 }], { from_s: 20, to_s: 30 }), 10);
  });
  it('have thresholds of their own', () => {
    const [{ thresholds }] = cases(
      `${faults}${get}[scenarios.s.thresholds]\nrecovery_ms = "max<3000"\nfault_errors = { expr = "rate<0.5", level = "warn" }`,
      { rest: app },
    );
    assert.deepEqual(
      thresholds.map(({ metric, source, min_samples }) => [metric, source, min_samples]),
      [
        ['recovery_ms', 'record', 1],
        ['fault_errors', 'record', 1],
      ],
    );
  });
});
