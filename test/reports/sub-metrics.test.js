// k6's names of sub-metrics are read and written by whoever reads a spec (src/suite/cases/sub-metric.ts), by the reduction
// (reports/lib/sub_metric.jq) and read by the native player (k6/native/tally): all are held to one table.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSubMetric, subMetricName } from '../../dist/suite/cases/sub-metric.js';
import { root } from '../support/cli.js';
import { engines, jqIn } from '../support/engines.js';

const file = join(root, 'k6', 'native', 'vectors', 'sub-metrics.json');

/** written: its name as we write it. @type {{ name: string, metric: string, selector: Record<string, string>, written: string }[]} */
const names = JSON.parse(readFileSync(file, 'utf8'));
const expected = names.map(({ metric, selector, written }) => [{ metric, selector }, written]);

test('in Node.js', () => {
  const read = names.map(({ name }) => parseSubMetric(name));
  assert.deepEqual(
    read.map((subMetric) => [subMetric, subMetricName(subMetric)]),
    expected,
  );
});

for (const engine of await engines())
  test(`in ${engine.name}`, async () => {
    const program =
      'import "lib/sub_metric" as sub_metric; [input[] | .name | sub_metric::parse | [., sub_metric::name]]';
    assert.deepEqual(JSON.parse(await jqIn(engine, [program, file])), expected);
  });
