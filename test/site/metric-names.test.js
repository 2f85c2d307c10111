import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readMetricNames } from '../../src/site/model/metrics.js';
import { folderOf, root } from '../support/cli.js';

const table = 'reports/lib/tables/metrics.jq';
const ours = readFileSync(join(root, table), 'utf8');

test('pages call metrics as the table does', () => {
  const names = readMetricNames(root);
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

test("a suite's own table overrides ours; a damaged one is named", async () => {
  const suite = await folderOf({ [table]: ours.replace('"title": "throughput"', '"title": "goodput"') });
  assert.equal(readMetricNames(suite).titleOf('throughput_rps'), 'goodput');
  const damaged = await folderOf({ [table]: ours.replace('"sections": [', '"sections": [,') });
  assert.throws(() => readMetricNames(damaged), {
    name: 'UserError',
    message: new RegExp(`^${damaged}/${table} is not a table of metrics: `),
    hint: /Copy ours/,
  });
});
