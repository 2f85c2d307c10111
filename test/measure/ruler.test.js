// What head measures less than base, or expects less, is found in the specs: nothing is run.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rulerDifferences } from '../../dist/run/duet/ruler/ruler.js';
import { expandCases, parseToml } from '../../dist/suite/cases/cases.js';

const base = `
title = "Shop"
[environments.local]
url = "http://127.0.0.1:\${port}"
[[environments.local.services]]
name = "app"
command = ["node", "app.js"]
env = { PORT = "\${port}" }
[environments.local.compare]
[scenarios.s]
executor = "constant-arrival-rate"
rate = 100
duration = "30s"
preAllocatedVUs = 20
window = { from = "5s" }
error_cap = 0.01
compare = { gate = ["cpu_ms_per_request", "latency_ms_p50"], tolerance = 0.05 }
[[scenarios.s.requests]]
get = "/list"
name = "list"
weight = 70
expect = { status = 200, headers = { content-type = "application/json" }, json = { ok = true } }
[[scenarios.s.requests]]
post = "/create"
name = "create"
weight = 30
[scenarios.s.thresholds]
http_req_duration = ["p(95)<50", "p(99)<100"]
[scenarios.other]
executor = "constant-vus"
vus = 2
duration = "10s"
requests = [{ get = "/" }]
`.replace('[environments.local.compare]\n', '');

/** @param {string} text @param {Record<string, any>} [bench] */
const casesOf = (text, bench) => expandCases({ spec: parseToml(text), bench, system: 'shop' });

/** @param {string} head @param {Record<string, any>} [bench] */
const found = (head, bench) =>
  rulerDifferences({ cases: casesOf(base), programs: {} }, { cases: casesOf(head, bench), programs: {} }).map(
    ({ subject, base: from, head: to, looser, case: name }) => ({
      text: `${name}: ${subject}: ${from} -> ${to}`,
      looser,
    }),
  );

/** @param {string} from @param {string} to */
const changed = (from, to) => {
  assert.ok(base.includes(from), from);
  return base.replace(from, to);
};

test('the same is the same, also written in another way', () => {
  assert.deepEqual(found(base), []);
  assert.deepEqual(found(changed('error_cap = 0.01\n', '')), []);
  assert.deepEqual(found(changed('title = "Shop"', 'title = "Another title"')), []);
});

test('a script whose failed checks are ignored is looser, also where a threshold of its own on checks stays', () => {
  const scripted = base
    .replace(/\[\[scenarios\.s\.requests\]\][\s\S]*?(?=\[scenarios\.s\.thresholds\])/, '')
    .replace('executor = "constant-arrival-rate"', 'script = "s.js"\nexecutor = "constant-arrival-rate"');
  const own = scripted.replace('http_req_duration =', 'checks = "rate>0.5"\nhttp_req_duration =');
  for (const text of [scripted, own]) {
    const changes = rulerDifferences(
      { cases: casesOf(text), programs: {} },
      { cases: casesOf(text.replace('error_cap', 'checks = "ignore"\nerror_cap')), programs: {} },
    );
    const [checks] = changes.filter(({ subject }) => subject === 'checks');
    assert.deepEqual([checks?.base, checks?.head, checks?.looser], ['count', 'ignore', true], JSON.stringify(changes));
  }
});

describe('what makes it looser is named', () => {
  /** @type {[string, string, string, RegExp][]} */
  const weakenings = [
    [
      'other cores',
      'command = ["node", "app.js"]',
      'command = ["node", "app.js"]\ncpus = "0"',
      /^s: cores of services/,
    ],
    [
      'a stranger may serve',
      'url = "http://127.0.0.1:${port}"',
      'external = ["http://127.0.0.1:9000"]\nurl = "http://127.0.0.1:${port}"',
      /^s: external http:\/\/127\.0\.0\.1:9000: not there -> there/,
    ],
    [
      'data that is left of an earlier start',
      'url = "http://127.0.0.1:${port}"',
      'reuse = ["${run.dir}/data"]\nurl = "http://127.0.0.1:${port}"',
      /^s: setup: .* -> .*run\.dir/,
    ],
    ['a scenario is gone', base.slice(base.indexOf('[scenarios.other]')), '', /^other: case other: there -> gone/],
    [
      'a threshold is gone',
      '["p(95)<50", "p(99)<100"]',
      '["p(95)<50"]',
      /threshold http_req_duration p\(99\) at most: < 100.*-> gone/,
    ],
    ['a threshold is higher', 'p(95)<50', 'p(95)<500', /p\(95\) at most: < 50.* -> < 500/],
    ['a threshold only warns', '"p(99)<100"', '{ expr = "p(99)<100", level = "warn" }', /-> < 100, a warning/],
    [
      'a threshold wants more samples',
      '"p(99)<100"',
      '{ expr = "p(99)<100", min_samples = 100000 }',
      /from 100000 samples/,
    ],
    [
      'the gate is another',
      '"cpu_ms_per_request", "latency_ms_p50"',
      '"throughput_rps"',
      /gate latency_ms_p50: there -> gone/,
    ],
    ['more is tolerated', 'tolerance = 0.05', 'tolerance = 0.5', /tolerance: 0.05 -> 0.5/],
    [
      'more is tolerated of one metric',
      'tolerance = 0.05',
      'tolerance = 0.05, tolerances = { latency_ms_p50 = 0.9 }',
      /tolerance of latency_ms_p50: 0.05 -> 0.9/,
    ],
    ['less is spent', 'tolerance = 0.05', 'tolerance = 0.05, alpha = 0.0001', /alpha: 0.01 -> 0.0001/],
    [
      'an error is expected',
      'status = 200',
      'status = [200, 500]',
      /expectation of request list: status 200, .* -> status 200, 500/,
    ],
    [
      'a header is not expected',
      ', headers = { content-type = "application/json" }',
      '',
      /expectation of request list/,
    ],
    ['a value is not expected', ', json = { ok = true }', '', /expectation of request list/],
    [
      'a request is gone',
      base.slice(base.indexOf('[[scenarios.s.requests]]\npost'), base.indexOf('[scenarios.s.thresholds]')),
      '',
      /request create: there -> gone/,
    ],
    [
      'a request is another',
      'get = "/list"',
      'get = "/health"',
      /request list: GET \/list \(\w{12}\) -> GET \/health \(\w{12}\)/,
    ],
    [
      'a request has another body',
      'post = "/create"',
      'post = "/create"\nbody = "x"',
      /request create: POST \/create \(\w{12}\) -> sent in another way \(\w{12}\)/,
    ],
    ['a request is seldom', 'weight = 30', 'weight = 1', /share of request create: 30 % -> 1.4 %/],
    [
      'users keep their connections',
      'error_cap',
      'connections = "request"\nerror_cap',
      /connections: reuse -> request/,
    ],
    ['users keep their cookies', 'error_cap', 'cookies = "user"\nerror_cap', /cookies: iteration -> user/],
    ['another user agent', 'error_cap', 'user_agent = "bench"\nerror_cap', /user agent: benchfolio -> bench/],
    ['other rows', 'error_cap', 'rows = { file = "one.csv" }\nerror_cap', /rows: /],
    [
      'another path of the address',
      'url = "http://127.0.0.1:${port}"',
      'url = "http://127.0.0.1:${port}/stub"',
      /url: http:\S*:\$\{port\} -> http:\S*:\$\{port\}\/stub/,
    ],
    ['another host', 'url = "http://127.0.0.1:${port}"', 'url = "http://127.0.0.1:9000"', /url: \S+ -> http:\S*:9000/],
    [
      'a setting of the benchmark alone',
      'env = { PORT = "${port}" }',
      'env = { PORT = "${port}", CACHE = "1" }',
      /start of service app: .* -> .*"CACHE":"1"/,
    ],
    [
      'a service runs in another folder',
      'command = ["node", "app.js"]',
      'command = ["node", "app.js"]\ncwd = "stub"',
      /start of service app: \{"cwd":"\."\} -> \{"cwd":"stub"\}/,
    ],
    [
      'another build',
      'command = ["node", "app.js"]',
      'command = ["node", "app.js"]\nbuild = ["make", "stub"]',
      /start of service app: .* -> .*"make","stub"/,
    ],
    [
      'what warms it up before the load',
      'command = ["node", "app.js"]',
      'command = ["node", "app.js"]\nready = "http://127.0.0.1:${port}/fill-cache"',
      /start of service app: .* -> .*fill-cache/,
    ],
    [
      'settings that are written for it',
      'command = ["node", "app.js"]',
      'command = ["node", "app.js"]\nfiles = { "stub.conf" = "${run.dir}/app.conf" }',
      /start of service app: .* -> .*stub\.conf/,
    ],
    ['another program', '["node", "app.js"]', '["node", "stub.js"]', /start of service app: .* -> .*stub\.js/],
    ['less data', 'command = [', 'setup = ["node", "seed.js", "10"]\ncommand = [', /setup: .* -> .*"10"/],
    [
      'fewer rows after the start',
      '[scenarios.s]\n',
      '[[environments.local.after_ready]]\nname = "seed"\ncommand = ["node", "seed.js", "10"]\n[scenarios.s]\n',
      /setup: .* -> .*"10"/,
    ],
    ['services that start afresh', 'url = ', 'restart = "round"\nurl = ', /restart: case -> round/],
    ['several generators', 'error_cap', 'instances = 2\nerror_cap', /instances: 1 -> 2/],
    ['a load beyond what base carries', 'rate = 100', 'rate = 20000', /load: /],
    ['fewer users for the rate', 'preAllocatedVUs = 20', 'preAllocatedVUs = 1', /load: /],
    ['another window', 'window = { from = "5s" }', 'window = { from = "2s", to = "4s" }', /window: /],
    [
      'redirects to a stranger are followed',
      'url = "http://127.0.0.1:${port}"',
      'hosts = ["http://127.0.0.1:9000"]\nurl = "http://127.0.0.1:${port}"',
      /host http:\/\/127\.0\.0\.1:9000: not there -> there/,
    ],
    ['more errors are allowed', 'error_cap = 0.01', 'error_cap = 0.5', /error_cap: 0.01 -> 0.5/],
    [
      'less time is measured',
      'window = { from = "5s" }',
      'window = { from = "25s" }',
      /window: 5 s to 30 s -> 25 s to 30 s/,
    ],
    ['the load is smaller', 'rate = 100', 'rate = 1', /load: /],
    ['the load is shorter', 'duration = "30s"', 'duration = "8s"', /load: /],
    ['saturation is expected', 'error_cap', 'saturation = "expected"\nerror_cap', /saturation: error -> expected/],
    [
      'a service is not sampled',
      'command = ["node", "app.js"]',
      'command = ["node", "app.js"]\nsampled = false',
      /sampled service app: there -> gone/,
    ],
    ['it is not measured', 'error_cap', 'status = "todo"\nreason = "later"\nerror_cap', /status: measured -> todo/],
  ];
  for (const [name, from, to, expected] of weakenings) {
    test(name, () => {
      const differences = found(changed(from, to));
      const looser = differences.filter(({ looser }) => looser).map(({ text }) => text);
      assert.ok(
        looser.some((text) => expected.test(text)),
        JSON.stringify(differences, null, 1),
      );
    });
  }

  test('requests of a sequence in another order, more of them, another one by the same name', () => {
    const sequence = (/** @type {string[]} */ ...paths) => ({
      cases: casesOf(`${base.slice(0, base.indexOf('[scenarios.s]'))}[scenarios.s]
executor = "constant-vus"
duration = "10s"
requests = [${paths.join(', ')}]
`),
      programs: {},
    });
    const [list, create, health] = ['{ get = "/list" }', '{ post = "/create" }', '{ get = "/health" }'];
    const alias = '{ get = "/health", name = "GET /list" }';
    const from = sequence(create, list);
    for (const [head, subject] of /** @type {const} */ ([
      [sequence(list, create), 'sequence of requests'],
      [sequence(create, list, health), 'request GET /health'],
      [sequence(create, list, alias), 'share of request GET /list'],
    ])) {
      const looser = rulerDifferences(from, head).filter((difference) => difference.looser);
      assert.ok(
        looser.some((difference) => difference.subject === subject),
        JSON.stringify(looser),
      );
    }
    assert.deepEqual(rulerDifferences(from, sequence(create, list)), []);
  });

  test('a limit that fails, beside a stricter warning', () => {
    const both = (/** @type {string} */ limits) => changed('"p(95)<50", "p(99)<100"', limits);
    const warning = '{ expr = "p(95)<20", level = "warn" }';
    const [from, raised, gone] = [`"p(95)<50", ${warning}`, `"p(95)<5000", ${warning}`, warning].map((limits) => ({
      cases: casesOf(both(limits)),
      programs: {},
    }));
    for (const [head, now] of /** @type {const} */ ([
      [raised, '< 5000'],
      [gone, 'gone'],
    ])) {
      const [difference, ...more] = rulerDifferences(from, head);
      assert.deepEqual(more, []);
      assert.ok(difference.looser && difference.head?.startsWith(now), JSON.stringify(difference));
    }
  });

  test("the suite's own rule is looser", () => {
    const differences = rulerDifferences(
      { cases: casesOf(base.replace(/^compare = .*$/m, '')), programs: {} },
      { cases: casesOf(base.replace(/^compare = .*$/m, ''), { compare: { tolerance: 0.5 } }), programs: {} },
    );
    assert.deepEqual(
      differences.map(({ subject, looser }) => [subject, looser]),
      [
        ['tolerance', true],
        ['tolerance', true],
      ],
    );
  });

  test('a jq program of its own', () => {
    const program = (/** @type {Record<string, string>} */ programs) => ({ cases: casesOf(base), programs });
    const differences = rulerDifferences(program({}), program({ 'comparison.json.jq': '{ verdict: "pass" }' }));
    assert.deepEqual(differences, [
      {
        system: null,
        environment: null,
        case: null,
        subject: 'program reports/comparison.json.jq',
        base: 'not there',
        head: 'new (eb31a36f964d)',
        looser: true,
      },
    ]);
    assert.deepEqual(rulerDifferences(program({ 'a.jq': '.' }), program({ 'a.jq': '.' })), []);
  });
});

describe('what makes it stricter is named, and is not looser', () => {
  /** @type {[string, string, string][]} */
  const changes = [
    ['a lower threshold', 'p(95)<50', 'p(95)<40'],
    ['another threshold', '"p(99)<100"', '"p(99)<100", "max<2000"'],
    ['a lower tolerance', 'tolerance = 0.05', 'tolerance = 0.01'],
    ['a longer load', 'duration = "30s"', 'duration = "60s"'],
    ['a longer window', 'window = { from = "5s" }', 'window = { from = "2s" }'],
    ['another expectation', 'status = 200', 'status = 200, body = "x"'],
    [
      'another scenario',
      '[scenarios.other]',
      '[scenarios.new]\nexecutor = "constant-vus"\nduration = "1s"\nrequests = [{ get = "/" }]\n[scenarios.other]',
    ],
  ];
  for (const [name, from, to] of changes) {
    test(name, () => {
      const differences = found(changed(from, to));
      assert.notDeepEqual(differences, []);
      assert.deepEqual(
        differences.filter(({ looser }) => looser),
        [],
      );
    });
  }
});
