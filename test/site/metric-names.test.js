import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricNames as names } from '../../dist/site/model/metric-names.js';

test('pages call metrics as the table does', () => {
  assert.equal(names.titleOf('latency_ms_p95'), 'latency p95');
  assert.equal(names.titleOf('cpu_ratio'), 'CPU');
  assert.equal(names.titleOf('own_metric'), 'own_metric');
  assert.equal(names.titleOf('latency_ms_p95{lane:load}'), 'latency p95 under load');
  assert.equal(names.titleOf('errors_ratio{lane:age}'), 'errors with age');
  assert.equal(names.titleOf('latency_ms_p50{request:GET /a:b,{c}}'), 'latency p50 of GET /a:b,{c}');
  assert.equal(names.printOf('throughput_rps', '1/s').unit, 'responses/s');
  assert.ok(names.orderOf('latency_ms_p50') < names.orderOf('errors_ratio'));
  assert.equal(names.headline[0], 'load_rps_max');
});
