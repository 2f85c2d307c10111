import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { definitionOf, filesOf } from '../../dist/suite/cases/cases.js';
import { app, cases, everyKey, expandOne, get } from '../support/specs.js';

describe('the definition', () => {
  const base = expandOne(everyKey, { scenario: 'browse' });
  const hashed = (/** @type {object} */ change) => JSON.stringify(definitionOf({ ...base, ...change }));
  it('is the same for what only names, expects or compares', () => {
    const change = {
      title: 'x',
      description: 'y',
      thresholds: [],
      compare: {},
      charts: [],
      error_cap: 1,
      profile: 'p',
    };
    assert.equal(hashed(change), hashed({}));
  });
  it('is the same at another address, not on another path', () => {
    assert.equal(hashed({ url: 'https://example.com' }), hashed({}));
    assert.notEqual(hashed({ url: 'https://example.com/api' }), hashed({}));
  });
  for (const [what, change] of Object.entries({
    load: { k6: { ...base.k6, rate: 1 } },
    window: { window: { from_s: 0, to_s: 1 } },
    requests: { requests: [] },
    connections: { connections: 'reuse' },
    rows: { rows: [] },
    cookies: { cookies: 'iteration' },
    script: { script: 'x.js' },
    services: { services: base.services.map((service) => ({ ...service, cpus: '1' })) },
  }))
    it(`is another with other ${what}`, () => assert.notEqual(hashed(change), hashed({})));
  it('covers the contents of files', () => {
    assert.deepEqual(filesOf(base), ['customers.txt', 'app.conf']);
    assert.deepEqual(filesOf(expandOne(everyKey, { scenario: 'buy' })), ['photo.txt', 'app.conf']);
    assert.notEqual(
      JSON.stringify(definitionOf(base, { 'customers.txt': 'a' })),
      JSON.stringify(definitionOf(base, { 'customers.txt': 'b' })),
    );
  });
  it('does not depend on the order of keys', () => {
    const turned = { ...base, k6: Object.fromEntries(Object.entries(base.k6).reverse()) };
    assert.equal(JSON.stringify(definitionOf(turned)), hashed({}));
  });
});

describe('the definition of a case with more', () => {
  const [base] = cases(get, { rest: app });
  const [group] = cases(`${get}group = "g"`, { rest: app });
  const hashed = (/** @type {object} */ change) => JSON.stringify(definitionOf({ ...base, ...change }));
  const query = { name: 'heap', query: 'heap', unit: 'bytes', direction: null, over: 'window' };
  for (const [what, change] of Object.entries({
    network: { network: { bandwidth_bytes_per_second: 1, latency_ms: 0, jitter_ms: 0 } },
    faults: { faults: [{ service: 'app', action: 'stop', at_s: 1, for_s: 1, recover_within_s: 1 }] },
    'groups of requests': { requests: group.requests },
    'groups of a script': { script: 'x.js', groups: ['g'] },
    per_user: { per_user: true },
    queries: { queries: [query] },
  }))
    it(`is another with ${what}`, () =>
      assert.notEqual(hashed(change), hashed(what.includes('script') ? { script: 'x.js' } : {})));
  it('is the same for another Prometheus, and for what a metric is called or how good it is', () => {
    assert.equal(hashed({ prometheus: { url: 'http://p' } }), hashed({}));
    assert.equal(hashed({ queries: [query] }), hashed({ queries: [{ ...query, unit: 'kB', direction: 'lower' }] }));
  });
  it('has none of these keys where they are not used: records from before them stay comparable', () => {
    assert.deepEqual(
      Object.keys(definitionOf(base)).filter((key) => /network|faults|groups|per_user|queries|instances/.test(key)),
      [],
    );
    assert.deepEqual(Object.keys(definitionOf(base).requests[0]).includes('group'), false);
  });
});
