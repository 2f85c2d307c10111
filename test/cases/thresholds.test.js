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
          op: '<',
          value: 50,
          level: 'fail',
          min_samples: 400,
          source: 'k6',
        },
        {
          metric: 'http_req_duration',
          selector: {},
          expr: 'avg<9',
          aggregation: 'avg',
          op: '<',
          value: 9,
          level: 'warn',
          min_samples: 7,
          source: 'k6',
        },
        {
          metric: 'http_req_failed',
          selector: { name: 'GET /' },
          expr: 'rate<0.1',
          aggregation: 'rate',
          op: '<',
          value: 0.1,
          level: 'fail',
          min_samples: 1,
          source: 'k6',
        },
        {
          metric: 'dropped_iterations',
          selector: {},
          expr: 'count<1',
          aggregation: 'count',
          op: '<',
          value: 1,
          level: 'fail',
          min_samples: 0,
          source: 'k6',
        },
      ],
    );
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
