import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writtenAt } from '../../src/spec/extends.js';
import { definitionOf, expandCases, parseToml, partsOf, resolveExtends, steadyTime } from '../../src/spec/index.js';
import { layerPrometheus } from '../../src/spec/prometheus.js';

/**
 * The cases of a spec with one scenario.
 * @param {string} scenario TOML
 * @param {{ rest?: string, bench?: Record<string, any>, profile?: string, set?: Record<string, string> }} [options]
 */
const cases = (scenario, { rest = 'environments.local.url = "http://127.0.0.1:8080"', ...options } = {}) =>
  expandCases({
    system: 'shop',
    ...options,
    spec: parseToml(
      `title = "X"\n${rest}\n[scenarios.s]\nexecutor = "constant-vus"\nvus = 8\nduration = "30s"\n${scenario}`,
    ),
  });

const get = '\n[[scenarios.s.requests]]\nget = "/"\n';
const app =
  'environments.local = { url = "http://x", services = [{ name = "app", command = ["x"] }, { name = "db", command = ["y"] }] }';

describe('an environment like another', () => {
  const environments = parseToml(`
    [old]
    title = "The old one"
    url = "http://127.0.0.1:\${port.app}"
    parameters = { a = 1, b = 1 }
    setup = ["make"]
    services = [
      { name = "app", command = ["node", "\${port}"], env = { PORT = "\${port}", V = "1" }, ready = "log:ok" },
      { name = "db", command = ["db"] },
    ]
    [new]
    extends = "old"
    parameters = { b = 2 }
    services = [{ name = "cache", command = ["cache"] }, { name = "app", env = { V = "2" } }]
    [newest]
    extends = "new"
    title = "The newest"
    setup = []`);
  const never = () => assert.fail('reported');
  it('is a copy with its own merged over it, services by name', () => {
    const resolved = resolveExtends(environments, never);
    assert.deepEqual(resolved.new, {
      url: 'http://127.0.0.1:${port.app}',
      parameters: { a: 1, b: 2 },
      setup: ['make'],
      services: [
        { name: 'app', command: ['node', '${port}'], env: { PORT: '${port}', V: '2' }, ready: 'log:ok' },
        { name: 'db', command: ['db'] },
        { name: 'cache', command: ['cache'] },
      ],
    });
    assert.deepEqual(
      [resolved.newest.title, resolved.newest.setup, resolved.newest.services],
      ['The newest', [], resolved.new.services],
    );
  });
  it('does not change what it extends, and costs nothing where there is none', () => {
    const before = JSON.stringify(environments);
    resolveExtends(environments, never);
    assert.equal(JSON.stringify(environments), before);
    const alone = { old: environments.old };
    assert.equal(resolveExtends(alone, never), alone);
  });
  it('knows where each of its keys is written', () => {
    const at = (/** @type {(string | number)[]} */ ...path) =>
      writtenAt(environments, ['environments', 'newest', ...path]).slice(1);
    assert.deepEqual(at('title'), ['newest', 'title']);
    assert.deepEqual(at('url'), ['old', 'url']);
    assert.deepEqual(at('services', 0, 'env', 'V'), ['new', 'services', 1, 'env', 'V']);
    assert.deepEqual(at('services', 0, 'ready'), ['old', 'services', 0, 'ready']);
    assert.deepEqual(at('services', 2, 'command', 0), ['new', 'services', 0, 'command', 0]);
    assert.deepEqual(at('nowhere'), ['newest', 'nowhere']);
    assert.deepEqual(writtenAt(environments, ['scenarios', 's']), ['scenarios', 's']);
  });
  it('says in plain k6 too where what is wrong is written', () => {
    const rest =
      'environments.a = { url = "http://x", services = [{ name = "app", command = ["x"], ready_timeout = "9" }] }\nenvironments.b.extends = "a"';
    assert.throws(() => cases(`environments = ["b"]${get}`, { rest }), {
      message: /^environments\.a\.services\[0\]\.ready_timeout: the duration 9 has no unit/,
    });
  });
  it('takes what a profile changes in that', () => {
    const rest =
      'parameters.n = 1\nenvironments.a.url = "http://x/${n}"\nenvironments.b.extends = "a"\nprofiles.quick.environments.a.parameters.n = 5';
    assert.deepEqual(
      cases(get, { rest, profile: 'quick' }).map(({ url }) => url),
      ['http://x/5', 'http://x/5'],
    );
  });
});

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
  it("of an environment goes before bench.toml's, and never gets the secrets of another server", () => {
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
  it('are those of all scenarios and its own, which go before', () => {
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

describe('faults', () => {
  const faults =
    'faults = [{ at = "20s", service = "db", action = "pause", for = "1500ms", recover_within = "1s" }, { at = "5s", service = "app", action = "stop", for = "2s" }]';
  const quick = `\n[profiles.quick.scenarios.s]\nduration = "12s"\nfaults = [{ at = "9s" }, { for = "1s", recover_within = "1s" }]`;
  it('come in the order of their times', () => {
    assert.deepEqual(cases(faults + get, { rest: app })[0].faults, [
      { service: 'app', action: 'stop', at_s: 5, for_s: 2, recover_within_s: 5 },
      { service: 'db', action: 'pause', at_s: 20, for_s: 1.5, recover_within_s: 1 },
    ]);
  });
  it('are moved by a profile, by their position', () => {
    assert.deepEqual(cases(faults + get + quick, { rest: app, profile: 'quick' })[0].faults, [
      { service: 'app', action: 'stop', at_s: 5, for_s: 1, recover_within_s: 1 },
      { service: 'db', action: 'pause', at_s: 9, for_s: 1.5, recover_within_s: 1 },
    ]);
  });
  it('may be swept', () => {
    const swept =
      'sweep = { down = [1, 2] }\nfaults = [{ at = "5s", service = "app", action = "stop", for = "${down}s" }]';
    assert.deepEqual(
      cases(swept + get, { rest: app }).map((benchCase) => benchCase.faults[0].for_s),
      [1, 2],
    );
  });
  it('are never cut into parts', () => {
    const [whole] = cases(get, { rest: app });
    const [cut] = cases(faults + get, { rest: app });
    assert.ok(Number(partsOf(whole, 1e8)) > 1);
    assert.equal(partsOf(cut, 1e8), 1);
  });
  it('leave the rest of the window, a second before each being theirs', () => {
    assert.equal(
      steadyTime(
        [
          { at_s: 5, for_s: 2, recover_within_s: 5 },
          { at_s: 28, for_s: 1, recover_within_s: 1 },
        ],
        { from_s: 0, to_s: 29 },
      ),
      29 - 8 - 2,
    );
    assert.equal(steadyTime([{ at_s: 5, for_s: 2, recover_within_s: 5 }], { from_s: 20, to_s: 30 }), 10);
  });
  it('have thresholds of their own', () => {
    const [{ thresholds }] = cases(
      `${faults}${get}[scenarios.s.thresholds]\nrecovery_ms = "max<3000"\nfault_errors = { expr = "rate<0.5", level = "warn" }`,
      { rest: app },
    );
    assert.deepEqual(
      thresholds.map(({ metric, source, min_samples }) => [metric, source, min_samples]),
      [
        ['recovery_ms', 'record', 1],
        ['fault_errors', 'record', 1],
      ],
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

describe('the definition', () => {
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
