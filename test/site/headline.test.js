// The number that the first page has of a system.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricNames } from '../../dist/site/model/metric-names.js';
import { headlineNumber } from '../../dist/site/pages/headline.js';
import { tryThreshold } from '../../dist/suite/cases/thresholds.js';
import { recordsOf } from '../support/site/synthetic-records.js';

const metric = 'latency_ms_p95';

/** The headline of a case with a p95, and a threshold on it. @param {number} value in ms @param {string} expr */
function headlineOf(value, expr) {
  const record = structuredClone(recordsOf(['alpha'], 1, 'v1', 0)[0]);
  const { scenario, environment, version, case: name } = record;
  Object.assign(record.metrics[metric], { value, valid: true });
  record.thresholds = [
    { ...record.thresholds[0], metric: 'http_req_duration', selector: {}, expr, ...tryThreshold(expr) },
  ];
  const entry = { record, system: 'alpha', environment, version, case: name, url: 'x' };
  const headline = { scenario, environment, values: {}, metric };
  const system = { name: 'alpha', headline, environments: [], scenarios: [] };
  const overview = { versions: [{ version, entries: [entry] }], compared: new Map(), names: metricNames };
  return headlineNumber(/** @type {any} */ (system), /** @type {any} */ (overview));
}

test('says how much of what its threshold allows it takes', () => {
  assert.deepEqual(headlineOf(40, 'p(95)<50')?.limit, { value: 40, most: 50, end: 50, text: 'of 50 ms allowed' });
  assert.equal(headlineOf(40, 'p(99)<50')?.limit, null);
});

test('does not look as if it kept to a limit that it is beyond', () => {
  const limit = { value: 4859, most: 2200, end: 4859, text: 'above the 2,200 ms allowed' };
  assert.deepEqual(headlineOf(4859, 'p(95)<2200')?.limit, limit);
});
