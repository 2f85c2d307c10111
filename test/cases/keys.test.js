import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseToml } from '../../dist/suite/cases/cases.js';
import { cases, get } from '../support/specs.js';

describe('a network', () => {
  const network = (/** @type {string} */ toml, scenario = '') =>
    cases(scenario + get, {
      rest: `parameters.kind = "3"\nenvironments.local = { url = "http://x", network = ${toml} }`,
    }).map((benchCase) => benchCase.network);
  it('has what is not said as it is', () => {
    assert.deepEqual(network('{ bandwidth = "1.5 MB/s" }'), [
      { bandwidth_bytes_per_second: 1.5e6, latency_ms: 0, jitter_ms: 0 },
    ]);
    assert.deepEqual(network('{ latency = "1s", jitter = "0.5ms" }'), [
      { bandwidth_bytes_per_second: null, latency_ms: 1000, jitter_ms: 0.5 },
    ]);
    assert.deepEqual(cases(get)[0].network, null);
  });
  it('may be swept', () => {
    assert.deepEqual(
      network('{ bandwidth = "${speed}kB/s" }', 'sweep = { speed = [100, 200] }').map(
        (one) => one?.bandwidth_bytes_per_second,
      ),
      [1e5, 2e5],
    );
  });
});

describe('groups', () => {
  it('are those of the requests, each once, in their order', () => {
    const [{ groups, requests }] = cases(['b', 'a', 'b'].map((name) => `${get}group = "${name}"\n`).join('') + get);
    assert.deepEqual(groups, ['b', 'a']);
    assert.deepEqual(
      requests?.map(({ group }) => group),
      ['b', 'a', 'b', null],
    );
  });
  it('are those that a script announces', () => {
    const [{ groups, thresholds }] = cases(
      'script = "x.js"\ngroups = ["list view"]\n[scenarios.s.thresholds]\n"group_duration{group:list view}" = "avg<500"',
    );
    assert.deepEqual(
      [groups, thresholds[0].selector, thresholds[0].source],
      [['list view'], { group: 'list view' }, 'k6'],
    );
  });
  it('have a metric of their own, and those of k6 another', () => {
    const timed = (/** @type {string} */ threshold, group = 'group = "a"\n') =>
      cases(`${get}${group}[scenarios.s.thresholds]\n"${threshold}" = "avg<500"`)[0].thresholds[0].k6_metric;
    assert.equal(timed('group_duration{group:a}'), 'bench_group_duration');
    assert.equal(timed('group_duration'), 'bench_group_duration');
    assert.equal(timed('group_duration', ''), 'group_duration');
  });
  it('keep placeholders in their names', () => {
    assert.deepEqual(cases(`sweep = { n = [1] }${get}group = "of \${n}"\nheaders = { A = "\${n}" }`)[0].groups, [
      'of ${n}',
    ]);
  });
});

describe('a sweep of rows', () => {
  const rows = 'sweep = [{ rate = 30, users = 3 }, { users = 1, rate = 10 }]';
  const names = (/** @type {object} */ options = {}) => cases(rows + get, options).map(({ name }) => name);
  const local = 'environments.local.url = "http://x"\n';
  it('is taken line by line', () => assert.deepEqual(names(), ['s,rate=30,users=3', 's,rate=10,users=1']));
  it('is narrowed to the lines that have what is set, or set in all of them', () => {
    assert.deepEqual(names({ set: { rate: '10' } }), ['s,rate=10,users=1']);
    assert.deepEqual(names({ set: { rate: '20' } }), ['s,rate=20,users=3', 's,rate=20,users=1']);
  });
  it('is replaced by a profile in either form', () => {
    const quick = (/** @type {string} */ sweep) =>
      names({ rest: `${local}profiles.quick.scenarios.s.sweep = ${sweep}`, profile: 'quick' });
    assert.deepEqual(quick('[{ rate = 1, users = 1 }]'), ['s,rate=1,users=1']);
    assert.deepEqual(quick('{ rate = [1, 2] }'), ['s,rate=1', 's,rate=2']);
    const product = cases(`sweep = { a = [1, 2] }${get}`, {
      rest: `${local}profiles.quick.scenarios.s.sweep = [{ a = 5 }]`,
      profile: 'quick',
    });
    assert.deepEqual(
      product.map(({ values }) => values),
      [{ a: 5 }],
    );
  });
});

it('a date is a text, as it is written', () => {
  const { references } = parseToml(
    'references = [{ date = 2020-05-31 }, { date = 2020-05-31T10:00:00Z }, { date = "spring" }]',
  );
  assert.deepEqual(
    references.map((/** @type {any} */ { date }) => date),
    ['2020-05-31', '2020-05-31T10:00:00.000Z', 'spring'],
  );
});
