import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { partMetrics, recordMetrics, timeSeriesMetrics } from '../../dist/suite/cases/record-metrics.js';
import { root } from '../support/cli.js';
import { engines, jqIn } from '../support/engines.js';

/** @param {string} expression of what reports/lib/metrics.jq and reduce/metric_values.jq define */
async function inReports(expression) {
  const [engine] = await engines();
  return JSON.parse(
    await jqIn(engine, [
      `import "lib/metrics" as m; import "lib/reduce/metric_values" as values; [${expression} | .name]`,
    ]),
  );
}

describe('the metrics that a spec may name', () => {
  it('are those that a record has', async () => {
    const everything =
      '{ faults: [{}], per_user: true, player: "native", load: { kind: "open" }, services: [{ container: {} }] }';
    assert.deepEqual(recordMetrics, await inReports(`${everything} | values::of_case[]`));
  });
  it('of a request, group or service are those that the record has of it', async () => {
    const uncounted = (/** @type {string[]} */ names) =>
      names.filter((name) => !['count', 'share', 'weight'].includes(name));
    assert.deepEqual(uncounted(partMetrics.request), await inReports('m::of_request[]'));
    assert.deepEqual(uncounted(partMetrics.group), await inReports('m::of_group[]'));
    assert.deepEqual(partMetrics.service, await inReports('m::of_service[]'));
  });
  it('over time are those of its timeline', () => {
    const schema = JSON.parse(readFileSync(join(root, 'reports/schema/record.schema.json'), 'utf8'));
    const { services, machine, requests, ...own } = schema.properties.timeline.properties;
    const series = Object.keys(own).filter((name) => own[name].$ref === '#/definitions/series' && name !== 't');
    const parts = [services.additionalProperties, requests.additionalProperties, machine];
    const known = [...series, ...parts.flatMap(({ properties }) => Object.keys(properties))];
    assert.deepEqual([...timeSeriesMetrics].sort(), [...known].sort());
  });
});
