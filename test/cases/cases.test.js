import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultEnvironment, expandCases, parameterNames, portUsers } from '../../dist/suite/cases/cases.js';
import { everyKey, expandOne, specOf } from '../support/specs.js';

describe('a case', () => {
  it('has all that its scenario does not say', () => {
    assert.deepEqual(expandOne(specOf('')), {
      system: 'x',
      environment: 'local',
      scenario: 'hello',
      name: 'hello',
      profile: null,
      values: {},
      parameters: {},
      url: 'http://127.0.0.1:8080',
      hosts: [],
      external: [],
      confirm: null,
      restart: 'case',
      setup: [],
      services: [],
      after_ready: [],
      reuse: [],
      network: null,
      prometheus: null,
      generators: null,
      title: 'hello',
      description: null,
      status: null,
      reason: null,
      k6: { executor: 'constant-arrival-rate', rate: 100, preAllocatedVUs: 20, duration: '30s' },
      load: { kind: 'open', users: 20, segments: [{ from_s: 0, to_s: 30, from: 100, to: 100 }], iterations: null },
      window: { from_s: 0, to_s: 30 },
      duration_s: 30,
      order: 'sequence',
      requests: [
        {
          method: 'GET',
          path: '/',
          name: 'GET /',
          group: null,
          weight: null,
          query: {},
          headers: {},
          body: null,
          think: null,
          expect: { status: null, headers: {}, body: null, json: {} },
          on_error: 'continue',
          capture: {},
          timeout: '60s',
          redirects: 10,
        },
      ],
      script: null,
      groups: [],
      per_user: false,
      interleaved: null,
      faults: [],
      instances: 1,
      queries: [],
      rows: [],
      cookies: 'iteration',
      connections: 'reuse',
      saturation: 'error',
      error_cap: 0.01,
      smoke: true,
      checks: 'count',
      mix_tolerance: 0.05,
      thresholds: [],
      charts: [],
      compare: {
        tolerance: 0.02,
        tolerances: {},
        alpha: 0.01,
        session_sd: 0.1,
        gate: ['cpu_ms_per_request', 'latency_ms_p50', 'latency_ms_p95'],
        guardrails: {
          errors_ratio: 0.001,
          'errors_ratio{lane:load}': 0.001,
          tail_ratio: 0.002,
          'tail_ratio{request}': 0.005,
          'tail_ratio{lane:load}': 0.005,
          'tail_ratio{lane:age}': 0.02,
          'errors_ratio{lane:age}': 0.001,
          'memory_growth_bytes{lane:age}': 500_000,
          'latency_growth_ratio{lane:age}': 0.25,
          slow_starts_ratio: 0.02,
          memory_bytes_max: 0.1,
        },
        baseline: null,
      },
      spec_dir: 'specs/x',
      parts: 1,
      side: null,
    });
  });

  it('has services with all that they do not say, and ports, folders and secrets still to be filled', () => {
    const { services, setup, url } = expandOne(everyKey, { scenario: 'browse' });
    assert.equal(url, 'http://127.0.0.1:${port.app}');
    assert.deepEqual(setup, [['mkdir', '-p', '${run.dir}/data']]);
    assert.deepEqual(services[0], {
      name: 'app',
      ports: ['http', 'admin'],
      build: [
        ['npm', 'ci'],
        ['npm', 'run', 'build'],
      ],
      setup: [['node', 'seed.js', '--rows', '20']],
      command: ['node', '--max-old-space-size=512', '${spec.dir}/app.js'],
      cwd: '.',
      env: { PORT: '${port}', DB: '127.0.0.1:${port.db}', TOKEN: '${env.SHOP_TOKEN}', WORKERS: '4' },
      files: { 'app.conf': '${run.dir}/app.conf' },
      ready: 'http://127.0.0.1:${port}/ready',
      metrics: 'http://127.0.0.1:${port}/metrics',
      ready_timeout: '1m',
      stop_signal: 'SIGINT',
      stop_timeout: '20s',
      cpus: '0',
      sampled: true,
      container: null,
    });
    assert.deepEqual(portUsers({ url, setup, services }), ['app', 'db', 'cache']);
  });

  it('is named by its scenario and the swept values in the order of their keys, safe as a file name', () => {
    const spec = specOf('sweep = { path = ["/a b"], n = [0.5, 10] }\n', '');
    assert.deepEqual(
      expandCases({ spec, system: 'x' }).map(({ name }) => name),
      ['hello,n=0.5,path=_a_b', 'hello,n=10,path=_a_b'],
    );
  });

  it('is the same each time, whatever the order of keys', () => {
    const there = specOf('sweep = { a = [1, 2], b = [3] }\n[scenarios.hello.thresholds]\nhttp_reqs = "count>1"');
    const back = specOf('sweep = { b = [3], a = [1, 2] }\n[scenarios.hello.thresholds]\nhttp_reqs = "count>1"');
    assert.equal(
      JSON.stringify(expandCases({ spec: there, system: 'x' })),
      JSON.stringify(expandCases({ spec: there, system: 'x' })),
    );
    assert.deepEqual(expandCases({ spec: there, system: 'x' }), expandCases({ spec: back, system: 'x' }));
  });

  it('does not change the spec that it is made of', () => {
    const before = JSON.stringify(everyKey);
    for (const profile of [null, 'quick']) expandCases({ spec: everyKey, system: 'shop', profile });
    assert.equal(JSON.stringify(everyKey), before);
  });

  it('of a scenario that is not run yet may lack everything', () => {
    const later = expandOne(everyKey, { scenario: 'later' });
    assert.deepEqual(
      [later.status, later.reason, later.k6, later.requests, later.duration_s],
      ['todo', 'The shop has no search yet.', {}, null, null],
    );
  });
});

describe('values', () => {
  it('of the environment override the defaults, what is set overrides both, swept ones override all', () => {
    const spec = specOf(
      'sweep = { c = [3] }\ntitle = "${a}${b}${c}"',
      'parameters = { a = 1, b = 1, c = 1 }\nenvironments.local.parameters = { a = 2, b = 2 }',
    );
    assert.equal(expandOne(spec).title, '223');
    assert.equal(expandOne(spec, { set: { b: '5' } }).title, '253');
    assert.equal(expandOne(spec, { set: { c: '9' } }).title, '229');
  });
  it('that are set take the type of what they replace', () => {
    const spec = specOf('', 'parameters = { n = 1, t = "1", b = true }');
    assert.deepEqual(expandOne(spec, { set: { n: '20', t: '20', b: 'false' } }).parameters, {
      n: 20,
      t: '20',
      b: false,
    });
    assert.throws(() => expandOne(spec, { set: { n: 'many' } }), /n is set to "many", and must be a number/);
    assert.throws(() => expandOne(spec, { set: { m: '1' } }), /no parameter "m" to set/);
  });
  it('that are set narrow a sweep to one, which need not be among its own', () => {
    const spec = specOf('sweep = { rate = [1, 2], b = ["x", "y"] }');
    const names = expandCases({ spec, system: 'x', set: { rate: '7' } }).map(({ name }) => name);
    assert.deepEqual(names, ['hello,b=x,rate=7', 'hello,b=y,rate=7']);
  });
  it('that can be set are parameters and what is swept, in profiles too', () => {
    const spec = specOf(
      'sweep = { rate = [1] }',
      'parameters.p = 1\n[profiles.q.scenarios.hello]\nsweep = { extra = [1] }',
    );
    assert.deepEqual([...parameterNames(spec)].sort(), ['extra', 'p', 'rate']);
  });
  it('are put into requests, not into their names; secrets, rows and captured values are left', () => {
    const [first] = expandOne(everyKey, { scenario: 'browse' }).requests ?? [];
    assert.equal(first.path, '/all?size=20');
    assert.equal(first.query.customer, '${row.id}');
    assert.equal(first.headers.Authorization, 'Bearer ${env.SHOP_TOKEN}');
    const spec = specOf('sweep = { size = ["s", "m"] }');
    spec.scenarios.hello.requests = [{ get: '/files/${size}?x=1' }];
    assert.deepEqual(
      expandCases({ spec, system: 'x' }).map(({ requests }) => [requests?.[0].path, requests?.[0].name]),
      [
        ['/files/s?x=1', 'GET /files/${size}'],
        ['/files/m?x=1', 'GET /files/${size}'],
      ],
    );
  });
});

describe('a profile', () => {
  const spec = specOf(
    'sweep = { rate = { from = 1, to = 5, step = 1 }, kind = ["a"] }\nwindow = { from = "5s", to = "20s" }\n' +
      '[profiles.quick.scenarios.hello]\nduration = "10s"\nwindow = { to = "8s" }\nsweep = { rate = [7] }',
  );
  it('is merged over the spec: tables deep, lists and ranges whole', () => {
    const [first, ...others] = expandCases({ spec, system: 'x', profile: 'quick' });
    assert.deepEqual(others, []);
    assert.deepEqual(
      [first.values, first.duration_s, first.window, first.profile],
      [{ kind: 'a', rate: 7 }, 10, { from_s: 5, to_s: 8 }, 'quick'],
    );
  });
  it('that the spec does not have is refused', () => {
    assert.throws(() => expandOne(spec, { profile: 'quik' }), {
      message: 'there is no profile "quik"',
      hint: 'Known: quick.',
    });
  });
  it('cannot make a scenario', () => {
    const other = specOf('[profiles.quick.scenarios.hallo]\nduration = "1s"');
    assert.throws(() => expandOne(other, { profile: 'quick' }), {
      message: 'profiles.quick.scenarios.hallo: there is no scenario "hallo" to change',
    });
  });
});

describe('environments', () => {
  const spec = specOf(
    '',
    'environments.staging.url = "https://x.example"\n[scenarios.far]\nenvironments = ["staging"]\nstatus = "todo"\nreason = "x"\n',
  );
  it('are all expanded unless one is chosen, where the scenario runs', () => {
    const places = (/** @type {object} */ options) =>
      expandCases({ spec, system: 'x', ...options }).map((benchCase) => `${benchCase.environment}/${benchCase.name}`);
    assert.deepEqual(places({}), ['local/hello', 'staging/far', 'staging/hello']);
    assert.deepEqual(places({ environment: 'local' }), ['local/hello']);
    assert.deepEqual(places({ scenario: 'far' }), ['staging/far']);
    assert.throws(() => places({ environment: 'mars' }), /no environment "mars"/);
    assert.throws(() => places({ scenario: 'helo' }), /no scenario "helo"/);
  });
  it('have a first one for each scenario', () => {
    assert.equal(defaultEnvironment(spec, 'hello'), 'local');
    assert.equal(defaultEnvironment(spec, 'far'), 'staging');
  });
});

describe('comparison', () => {
  it('is set by bench.toml, the spec and the scenario, the nearest first, key by key', () => {
    const spec = specOf(
      'compare = { tolerance = 0.3, tolerances = { latency_ms_p95 = 0.5 } }',
      'compare = { tolerance = 0.2, session_sd = 0.2 }',
    );
    const bench = { compare: { tolerance: 0.1, session_sd: 0.1, alpha: 0.05, tolerances: { latency_ms_p50: 0.4 } } };
    const { compare } = expandOne(spec, { bench });
    assert.deepEqual([compare.tolerance, compare.session_sd, compare.alpha], [0.3, 0.2, 0.05]);
    assert.deepEqual(compare.tolerances, { latency_ms_p50: 0.4, latency_ms_p95: 0.5 });
  });
});
