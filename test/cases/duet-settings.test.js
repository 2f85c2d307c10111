import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortLoads } from '../../dist/suite/cases/duet-settings.js';

test('loads that k6 would refuse are found before anything is built', () => {
  const pathsOf = (/** @type {object} */ duet) => shortLoads({ duet }).map(({ path }) => path.join('.'));
  assert.deepEqual(shortLoads({}), []);
  assert.deepEqual(pathsOf({ warmup: '300ms', duration: '700ms' }), []);
  assert.deepEqual(pathsOf({ warmup: '300ms', duration: '699ms' }), ['duet.duration']);
  assert.deepEqual(pathsOf({ duration: '1ms' }), []);
  assert.deepEqual(pathsOf({ load: { warmup: '0s', duration: '10ms' } }), ['duet.load.duration']);
  assert.deepEqual(pathsOf({ load: { warmup: '0s', saturation: '999ms' } }), ['duet.load.saturation']);
  assert.deepEqual(pathsOf({ load: false, duration: '1ms', warmup: '1ms' }), ['duet.duration']);
});
