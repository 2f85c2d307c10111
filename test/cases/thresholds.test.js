import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expandOne, specOf } from '../support/specs.js';

describe('thresholds', () => {
  const read = (/** @type {string} */ toml, rest = '') =>
    expandOne(specOf(`[scenarios.hello.thresholds]\n${toml}`, rest)).thresholds;
  it('become a list, each with the observations that it needs', () => {
    assert.deepEqual(
      read(
        'http_req_duration = ["p(95)<50", { expr = "avg<9", level = "warn", min_samples = 7 }]\n' +
          '"http_req_failed{name:GET /}" = "rate<0.1"\ndropped_iterations = "count<1"',
      ),
      [
        {
          metric: 'http_req_duration',
          selector: {},
          expr: 'p(95)<50',
          aggregation: 'p(95)',
          percentile: 95,
          op: '<',
          value: 50,
          unit: null,
          level: 'fail',
          min_samples: 400,
          source: 'k6',
          k6_metric: 'http_req_duration',
        },
        {
          metric: 'http_req_duration',
          selector: {},
          expr: 'avg<9',
          aggregation: 'avg',
          percentile: null,
          op: '<',
          value: 9,
          unit: null,
          level: 'warn',
          min_samples: 7,
          source: 'k6',
          k6_metric: 'http_req_duration',
        },
        {
          metric: 'http_req_failed',
          selector: { name: 'GET /' },
          expr: 'rate<0.1',
          aggregation: 'rate',
          percentile: null,
          op: '<',
          value: 0.1,
          unit: null,
          level: 'fail',
          min_samples: 1,
          source: 'k6',
          k6_metric: 'http_req_failed',
        },
        {
          metric: 'dropped_iterations',
          selector: {},
          expr: 'count<1',
          aggregation: 'count',
          percentile: null,
          op: '<',
          value: 1,
          unit: null,
          level: 'fail',
          min_samples: 0,
          source: 'k6',
          k6_metric: 'dropped_iterations',
        },
      ],
    );
  });
  it('say what they ask for, however they are written', () => {
    const asked = (/** @type {string} */ expr) =>
      read(`http_req_duration = "${expr}"`).map(({ aggregation, percentile, op, value }) => [
        aggregation,
        percentile,
        op,
        value,
      ]);
    assert.deepEqual(asked('med<5E1'), [['med', 50, '<', 50]]);
    assert.deepEqual(asked(' p(99.9) <= 5e-1 '), [['p(99.9)', 99.9, '<=', 0.5]]);
    assert.deepEqual(asked('max<.5'), [['max', 100, '<', 0.5]]);
    assert.deepEqual(asked('min>=0'), [['min', 0, '>=', 0]]);
    assert.deepEqual(asked('avg<1'), [['avg', null, '<', 1]]);
  });
  it('know their unit where it is not k6 who measures', () => {
    const services = 'environments.local.services = [{ name = "app", command = ["x"] }]';
    const units = (/** @type {string} */ toml) => read(toml, services).map(({ unit, k6_metric }) => [unit, k6_metric]);
    assert.deepEqual(units('memory_bytes = "max<5"'), [['bytes', null]]);
    assert.deepEqual(units('"cpu_ratio{service:app}" = "avg<1"'), [['cores', null]]);
    assert.deepEqual(units('http_req_duration = "max<5"'), [[null, 'http_req_duration']]);
  });
  it('on services are left out where none is started', () => {
    const service = 'environments.local.services = [{ name = "app", command = ["x"] }]';
    assert.equal(read('memory_bytes = "max<5"').length, 0);
    assert.deepEqual(
      read('memory_bytes = "max<5"', service).map(({ source, min_samples }) => [source, min_samples]),
      [['service', 1]],
    );
    assert.equal(read('"memory_bytes{service:db}" = "max<5"', service).length, 0);
  });
  it('of a script may be on metrics that it declares itself', () => {
    const spec = specOf('[scenarios.hello.thresholds]\nmy_trend = "p(95)<1"');
    assert.throws(() => expandOne(spec), /there is no metric "my_trend"/);
    delete spec.scenarios.hello.requests;
    spec.scenarios.hello.script = 'order.js';
    assert.equal(expandOne(spec).thresholds[0].metric, 'my_trend');
  });
});
