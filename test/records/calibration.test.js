// Which trials are of one duet, and so counted together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sameDuet } from '../../dist/records/calibration/calibration.js';
import { trialOf } from '../support/trials.js';

const trial = trialOf(1, { base: { latency_ms_p50: [1, 1] }, head: { latency_ms_p50: [1, 1] } });
const onCores = (/** @type {{ swapped_cores?: boolean, kept_awake?: boolean }} */ cores) => ({
  ...trial,
  pair: { ...trial.pair, ...cores },
});

test('a trial whose sides found other cores is of another duet', () => {
  assert.ok(!sameDuet(trial, onCores({ swapped_cores: true })));
  assert.ok(sameDuet(trial, onCores({ swapped_cores: false })));
  assert.ok(sameDuet(onCores({ swapped_cores: true }), onCores({ swapped_cores: true })));
  assert.ok(!sameDuet(trial, onCores({ kept_awake: true })));
});

test('a trial that ended before its first block is counted, but not with another definition', () => {
  const ended = { ...trial, base: null };
  const today = onCores({ swapped_cores: true, kept_awake: true });
  assert.ok(sameDuet(ended, today));
  assert.ok(!sameDuet(ended, { ...today, definition: 'sha256:another' }));
  assert.ok(!sameDuet(today, onCores({ swapped_cores: false, kept_awake: true })));
});
