import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { keyOf, parseSubMetric, subMetricName, trySubMetric } from '../../dist/suite/cases/sub-metric.js';
import { root } from '../support/cli.js';
import { engines, jqIn } from '../support/engines.js';

/** @type {{ text: string, metric: string, selector: Record<string, string>, name: string }[]} */
const table = JSON.parse(readFileSync(join(root, 'test/fixtures/sub-metrics.json'), 'utf8'));
const expected = table.map(({ metric, selector, name }) => ({ metric, selector, name, again: { metric, selector } }));

describe('the name of a sub-metric', () => {
  it('is read and written in JavaScript', () => {
    const found = table.map(({ text }) => {
      const parsed = parseSubMetric(text);
      const name = subMetricName(parsed);
      return { ...parsed, name, again: parseSubMetric(name) };
    });
    assert.deepEqual(found, expected);
  });
  it('is read and written in jq', async () => {
    const program = `import "lib/sub_metric" as sub_metric; $table | map(.text | sub_metric::parse
      | .name = sub_metric::name | .again = (.name | sub_metric::parse))`;
    for (const engine of await engines()) {
      const found = await jqIn(engine, ['--argjson', 'table', JSON.stringify(table), program]);
      assert.deepEqual(JSON.parse(found), expected, engine.name);
    }
  });
  it('is refused where k6 would refuse it', () => {
    for (const text of ['x{', 'x}', 'x{}', 'x{a}', 'x{a:}', 'x{:b}', 'x{a:b}y', 'x{a:b,}']) {
      assert.throws(() => parseSubMetric(text), RangeError, text);
      assert.equal(trySubMetric(text), null);
    }
  });
});

test('a key is found however its tags are written', () => {
  const table = { 'x{': 1, 'http_reqs{ status:200, name:"GET /" }': 2, http_reqs: 3 };
  const [, second] = Object.keys(table);
  assert.equal(keyOf(table, { metric: 'http_reqs', selector: { name: 'GET /', status: '200' } }), second);
  assert.equal(keyOf(table, { metric: 'http_reqs', selector: {} }), 'http_reqs');
  assert.equal(keyOf(table, { metric: 'http_reqs', selector: { name: 'GET /' } }), undefined);
});
