import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { layerPrometheus } from '../../dist/suite/cases/prometheus.js';
import { app, cases, get } from '../support/specs.js';

describe('Prometheus', () => {
  const url = 'https://p.example.com/';
  const of = (/** @type {string} */ keys, bench = {}, scenario = get) =>
    cases(scenario, { rest: `environments.local = { url = "http://x"${keys} }`, bench: { prometheus: bench } })[0]
      .prometheus;
  const asked = `${get}[scenarios.s.metrics]\nheap = { query = "heap" }`;
  it("is nobody's concern without keys and without anything to ask it for", () =>
    assert.equal(cases(get)[0].prometheus, null));
  it("is the run's own where there is something to ask for, and nobody said whom", () => {
    const own = {
      url: null,
      remote_write: null,
      scrape_interval_s: 1,
      username: null,
      password: null,
      bearer_token: null,
      headers: {},
    };
    assert.deepEqual(cases(asked)[0].prometheus, own);
    assert.deepEqual(
      cases(get, { rest: app.replace('["x"]', '["x"], metrics = "http://x/metrics"') })[0].prometheus,
      own,
    );
  });
  it("gets k6's stream at the usual place, elsewhere, or not at all", () => {
    assert.deepEqual(
      [of(`, prometheus = { url = "${url}" }`)?.url, of(`, prometheus = { url = "${url}" }`)?.remote_write],
      ['https://p.example.com', 'https://p.example.com/api/v1/write'],
    );
    assert.equal(of(', prometheus = { remote_write = false }', { url })?.remote_write, false);
    assert.equal(of('', { url, remote_write: 'http://y/w' })?.remote_write, 'http://y/w');
  });
  it("of an environment overrides bench.toml's, and never gets the secrets of another server", () => {
    const everywhere = {
      url,
      bearer_token: '${env.T}',
      headers: { A: '1' },
      scrape_interval: '5s',
      remote_write: 'http://y/w',
    };
    assert.deepEqual(layerPrometheus(everywhere, { headers: { B: '2' } }), {
      ...everywhere,
      headers: { A: '1', B: '2' },
    });
    assert.deepEqual(layerPrometheus(everywhere, { url: 'http://z' }), { url: 'http://z', scrape_interval: '5s' });
    assert.deepEqual(layerPrometheus({ ...everywhere, remote_write: false }, { url: 'http://z' }), {
      url: 'http://z',
      scrape_interval: '5s',
      remote_write: false,
    });
    const { bearer_token: _, ...others } = everywhere;
    assert.deepEqual(layerPrometheus(everywhere, { username: 'u', password: '${env.P}' }), {
      ...others,
      username: 'u',
      password: '${env.P}',
    });
    assert.equal(layerPrometheus(undefined, undefined), undefined);
  });
});

describe('metrics from Prometheus', () => {
  const rest = `${app}\nmetrics.heap = { query = "heap" }\nmetrics.saved = { query = "saved[$__range]", unit = "ms", direction = "lower" }`;
  it('are those of all scenarios and its own, which override them', () => {
    const [{ queries }] = cases(`metrics.heap = { query = "other", over = "time" }${get}`, { rest });
    assert.deepEqual(queries, [
      { name: 'saved', query: 'saved[$__range]', unit: 'ms', direction: 'lower', over: 'window' },
      { name: 'heap', query: 'other', unit: null, direction: null, over: 'time' },
    ]);
  });
  it('know what the case is called; ports, rounds and versions are left to the run', () => {
    const query =
      'x{a="${system}/${environment}/${case}",n="${n}",i="${port.app}",r="${round}",v="${version}"}[$__interval]';
    const [, { queries }] = cases(`sweep = { n = [1, 2] }\nmetrics.x = { query = '${query}' }${get}`, { rest: app });
    assert.equal(
      queries[0].query,
      'x{a="shop/local/s,n=2",n="2",i="${port.app}",r="${round}",v="${version}"}[$__interval]',
    );
  });
  it('have a value that may be expected', () => {
    const [{ thresholds }] = cases(`${get}[scenarios.s.thresholds]\nsaved = "value<50"`, { rest });
    assert.deepEqual(
      thresholds.map(({ metric, aggregation, min_samples, source }) => [metric, aggregation, min_samples, source]),
      [['saved', 'value', 1, 'query']],
    );
  });
});
