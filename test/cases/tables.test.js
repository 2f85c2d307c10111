import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { metricsTable } from '../../dist/suite/cases/record-metrics.js';
import { driverMetrics, limits } from '../../dist/suite/cases/tables.js';
import { verdicts } from '../../dist/suite/cases/verdicts.js';
import { root } from '../support/cli.js';
import { engines, jqIn } from '../support/engines.js';

const tables = { driver_metrics: driverMetrics, limits, metrics: metricsTable, verdicts };

describe('the tables that jq and JavaScript share', () => {
  it('are all read', () => {
    const files = readdirSync(join(root, 'reports/lib/tables'));
    assert.deepEqual(
      files.sort(),
      Object.keys(tables).map((name) => `${name}.jq`),
    );
  });
  for (const [name, table] of Object.entries(tables)) {
    it(`are the same: ${name}`, async () => {
      for (const engine of await engines()) {
        const found = await jqIn(engine, [`import "lib/tables/${name}" as table; table::${name}`]);
        assert.deepEqual({ ...table }, JSON.parse(found), engine.name);
      }
    });
  }
  it('have no other names', () => assert.throws(() => limits.tolerence, /the table of limits has no "tolerence"/));
});
