import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkSuite } from '../../dist/suite/check/check.js';
import { openSuite } from '../../dist/suite/suite.js';
import { folderOf } from '../support/cli.js';

/**
 * The warnings, notes and errors of a spec with one scenario.
 * @param {string} scenario TOML
 * @param {{ rest?: string, bench?: string, memory?: number, rounds?: number, openFiles?: number, here?: boolean }} [options]
 */
async function lint(scenario, { rest = '', bench = '', memory = 1e12, openFiles = 1e6, ...more } = {}) {
  const folder = await folderOf({
    'bench.toml': bench,
    'specs/x/order.js': '',
    'specs/x/spec.toml': `title = "X"\nenvironments.local.url = "http://127.0.0.1:8080"\n${rest}\n[scenarios.s]\n${scenario}`,
  });
  return checkSuite(openSuite(folder), ['x'], { memory, openFiles, ...more }).problems.map(
    ({ level, message, hint }) => `${level}: ${message}. ${hint ?? ''}`,
  );
}

const request = '\n[[scenarios.s.requests]]\nget = "/"\n';
const javascript = '[run]\nplayer = "javascript"\n';
const rate = (/** @type {number} */ perSecond, users = 100, duration = '60s') =>
  `executor = "constant-arrival-rate"\nrate = ${perSecond}\nduration = "${duration}"\npreAllocatedVUs = ${users}\n`;

/** @type {Record<string, { warns: [string, RegExp][], silent: string[], options?: object }>} */
const lints = {
  "Little's law": {
    warns: [
      [
        `${rate(1000, 49)}${request}[scenarios.s.thresholds]\nhttp_req_duration = ["p(95)<50", "p(99)<90"]`,
        /^warn: 1,000 iterations\/s × 0\.05 s each \(the 50 ms that a threshold allows\) keep 50 users busy, and there are 49: .* preAllocatedVUs = 50 or more/,
      ],
      [
        `${rate(10, 29)}${request}think = "3s"`,
        /10 iterations\/s × 3 s each \(3 s think time\) keep 30 users busy, and there are 29/,
      ],
      [
        `${rate(10, 5)}maxVUs = 29\n${request}think = "1s"${request}think = { mean = "2s" }`,
        /keep 30 users busy, and there are 29.*maxVUs = 30/,
      ],
      [
        `executor = "ramping-arrival-rate"\nstages = [{ duration = "60s", target = 600 }]\ntimeUnit = "1m"\npreAllocatedVUs = 9\n${request}think = "1s"`,
        /10 iterations\/s × 1 s each/,
      ],
    ],
    silent: [
      `${rate(1000, 50)}${request}[scenarios.s.thresholds]\nhttp_req_duration = "p(95)<50"`,
      `${rate(1000, 1)}${request}[scenarios.s.thresholds]\nhttp_req_duration = "p(99)<900"`,
      `${rate(10, 20, '2s')}${request}think = "60s"`,
      `executor = "constant-vus"\nvus = 1\nduration = "60s"\n${request}think = "3s"`,
      `status = "todo"\nreason = "x"\n${rate(10, 1)}${request}think = "3s"`,
    ],
  },
  'what stays of a request that is sent once': {
    warns: [
      [
        `${rate(10)}[[scenarios.s.requests]]\npost = "/login"\nonce_per_user = true\n${request}`,
        /^warn: nothing stays of POST \/login: .* Set cookies = "user"/,
      ],
    ],
    silent: [
      `${rate(10)}cookies = "user"\n[[scenarios.s.requests]]\npost = "/login"\nonce_per_user = true\n${request}`,
      `${rate(10)}[[scenarios.s.requests]]\npost = "/login"\nonce_per_user = true\ncapture = { token = { json = "token" } }\n${request}`,
    ],
  },
  'programs that are missing': {
    options: {
      here: true,
      rest: '[environments.e]\nurl = "http://127.0.0.1:8080"\n[[environments.e.services]]\nname = "app"\ncommand = ["no-such-program"]\nready = "http://127.0.0.1:8080/"\n',
    },
    warns: [
      [
        `${rate(100, 100)}environments = ["e"]${request}`,
        /^warn: service "app" starts no-such-program, which is not on PATH\. Install no-such-program/,
      ],
    ],
    silent: [`${rate(100, 100)}environments = ["local"]${request}`],
  },
  instances: {
    warns: [
      [
        `${rate(10, 3)}instances = 4\n${request}`,
        /^error: 4 instances share 3 users: some would have none\. instances = 3 at the most/,
      ],
    ],
    silent: [`${rate(10, 4)}instances = 4\n${request}`],
  },
  'memory of the JavaScript player': {
    options: { memory: 1e9, here: true, bench: javascript },
    warns: [
      [
        rate(1000, 10, '1h') + request,
        /^info: k6 would take about 1\.\d\d GB of memory \(4\.00 MB for 10 users, 1\.\d\d GB for what they measure\), and 1\.00 GB are allowed: the run is cut into 2 k6 processes of 30m each/,
      ],
      [rate(10, 6000) + request, /^error: .* the users alone do not fit\. Use the native player .*fewer users/],
      [`${rate(5000, 10, '1h')}window = { from = "30m" }\n${request}`, /^error: .* the warm-up alone does not fit\./],
      [
        `executor = "shared-iterations"\niterations = 3000000\n${request}`,
        /^error: k6 would take about 1\.\d\d GB .* shared-iterations cannot be cut into parts/,
      ],
      [
        `executor = "ramping-vus"\nstages = [{ duration = "1h", target = 5 }]\n${request}`,
        /^warn: k6 may take up to 17\.\d GB/,
      ],
    ],
    silent: [rate(1000, 10, '10m') + request, `executor = "constant-vus"\nduration = "2h"\n${request}`],
  },
  'memory that only this machine does not have': {
    options: { memory: 1e9, bench: javascript },
    warns: [[rate(10, 6000) + request, /^warn: .* the users alone do not fit\. Use the native player .*fewer users/]],
    silent: [],
  },
  'memory of the native player': {
    options: { memory: 1e9 },
    warns: [
      [rate(10, 30000) + request, /^warn: .* the users alone do not fit\. Use fewer users/],
      [
        `${rate(10, 6000)}${request}expect = { body = { matches = "o(?=k)" } }\n`,
        /^warn: .* the users alone do not fit\. Use fewer users/,
      ],
    ],
    silent: [rate(10, 6000) + request, rate(1000, 10, '10h') + request],
  },
  'ports to another machine': {
    options: { rest: '[environments.e]\nurl = "http://192.0.2.1:8080"\n' },
    warns: [
      [
        `${rate(500)}environments = ["e"]\nconnections = "request"\n${request}`,
        /^warn: 500 new connections\/s leave 30,000 ports waiting .* there are 28,232.*At most 470 connections a second/,
      ],
      [`${rate(250)}environments = ["e"]\nconnections = "request"\n${request}${request}`, /500 new connections\/s/],
      [`${rate(500)}environments = ["e"]\nconnections = "iteration"\n${request}${request}`, /500 new connections\/s/],
    ],
    silent: [
      `${rate(470)}environments = ["e"]\nconnections = "request"\n${request}`,
      `${rate(5000)}environments = ["e"]\n${request}`,
      `${rate(5000, 100, '5s')}environments = ["e"]\nconnections = "request"\n${request}`,
    ],
  },
  ports: {
    warns: [
      [
        `executor = "constant-vus"\nvus = 30000\nduration = "60s"\n${request}expect = { body = { matches = "o(?=k)" } }\n`,
        /^warn: 30000 users need as many ports/,
      ],
    ],
    silent: [
      `executor = "constant-vus"\nvus = 30000\nduration = "60s"\n${request}`, // native, from several addresses of the loopback
      `${rate(5000)}connections = "request"\n${request}`, // a port of the loopback is used again at once
    ],
  },
  samples: {
    options: { rounds: 1 },
    warns: [
      [
        `${rate(10)}window = { from = "20s", to = "59s" }\n${request}[scenarios.s.thresholds]\nhttp_req_duration = "p(95)<50"`,
        /^warn: "p\(95\)<50" needs 400 requests, and a window of 39s has about 390\..* min_samples = 390/,
      ],
      [
        `${rate(10)}${request}weight = 60${request}name = "rare"\nweight = 40\n[scenarios.s.thresholds]\n"http_req_duration{name:rare}" = "p(95)<50"`,
        /needs 400 requests, .* has about 240/,
      ],
      [
        `executor = "constant-vus"\nvus = 5\nduration = "60s"\n${request}think = "1s"\n[scenarios.s.thresholds]\nhttp_req_duration = "p(95)<50"`,
        /a window of 1m has at the most 300/,
      ],
      [
        `executor = "shared-iterations"\niterations = 100\n${request}[scenarios.s.thresholds]\niteration_duration = "p(90)<50"`,
        /needs 200 iterations, and a window has about 100/,
      ],
    ],
    silent: [
      `${rate(10)}window = { from = "20s" }\n${request}[scenarios.s.thresholds]\nhttp_req_duration = ["p(95)<5000", "max<9000"]\nhttp_req_failed = "rate<0.01"`,
      `${rate(1)}${request}[scenarios.s.thresholds]\nhttp_req_duration = { expr = "p(95)<50", min_samples = 60 }`,
      `${rate(4)}${request}${request}[scenarios.s.thresholds]\nhttp_req_duration = "p(95)<50"`,
    ],
  },
  'samples of all rounds': {
    options: { bench: '[run]\nrounds = 2' },
    warns: [
      [
        `${rate(3)}${request}[scenarios.s.thresholds]\nhttp_req_duration = "p(95)<50"`,
        /needs 400 requests, and 2 rounds with a window of 1m have about 360\. Measure for longer or in more rounds/,
      ],
    ],
    silent: [`${rate(4)}${request}[scenarios.s.thresholds]\nhttp_req_duration = "p(95)<50"`],
  },
  'open files': {
    options: { openFiles: 1024 },
    warns: [
      [
        `${rate(10, 925)}${request}`,
        /^warn: 925 users are as many connections, and a process may have 1024 open files: connecting would fail\. .*ulimit -n 1025 or more/,
      ],
      [`executor = "constant-vus"\nvus = 2000\nduration = "60s"\n${request}`, /2000 users .* 1024 open files/],
    ],
    silent: [rate(10, 924) + request, `${rate(10, 1848)}instances = 2\n${request}`],
  },
  faults: {
    options: { rest: '[[environments.local.services]]\nname = "app"\ncommand = ["x"]\ncpus = "0"' },
    warns: [
      [
        `${rate(10)}faults = [{ at = "10s", service = "app", action = "stop", for = "2s" }]\n${request}`,
        /^warn: the service "app" has no `ready`: when it is up again after a fault is not known/,
      ],
    ],
    silent: [],
  },
  'ramp in the window': {
    warns: [
      [
        `executor = "ramping-vus"\nstages = [{ duration = "20s", target = 10 }, { duration = "40s", target = 10 }]\n${request}`,
        /^warn: the window has 20s of ramp in its 1m\. The load holds at 10 users from 20s to 1m: window = \{ from = "20s", to = "1m" \}/,
      ],
      [
        `executor = "ramping-arrival-rate"\npreAllocatedVUs = 9\nstages = [{ duration = "20s", target = 10 }, { duration = "40s", target = 10 }]\nwindow = { from = "5s" }\n${request}`,
        /15s of ramp in its 55s/,
      ],
    ],
    silent: [
      `executor = "ramping-vus"\nstages = [{ duration = "20s", target = 10 }, { duration = "40s", target = 10 }]\nwindow = { from = "20s" }\n${request}`,
      `executor = "ramping-vus"\nstages = [{ duration = "20s", target = 10 }]\n${request}`,
      `executor = "ramping-vus"\nstages = [{ duration = "20s", target = 10 }, { duration = "40s", target = 10 }]\nwindow = { from = "0s" }\n${request}`,
    ],
  },
  'thresholds on nothing': {
    warns: [
      [
        `${rate(10)}${request}[scenarios.s.thresholds]\n"http_req_duration{nme:GET /}" = "max<50"`,
        /^warn: no request has the tag "nme": the threshold is not judged/,
      ],
      [
        `${rate(10)}${request}[scenarios.s.thresholds]\nws_connecting = "max<50"\nchecks = "rate>0.9"`,
        /gives ws_connecting no values/,
      ],
      [
        `${rate(10)}[[scenarios.s.requests]]\nwebsocket = "/"\n[scenarios.s.thresholds]\nhttp_req_duration = "max<50"`,
        /a list of sessions gives http_req_duration no values/,
      ],
      [
        `${rate(10)}script = "order.js"\n[scenarios.s.thresholds]\nhttp_req_faild = "rate<0.01"`,
        /"http_req_faild" is not a metric of k6: .*Did you mean "http_req_failed"/s,
      ],
    ],
    silent: [
      `${rate(10)}[[scenarios.s.requests]]\nwebsocket = "/"\n[scenarios.s.thresholds]\nws_session_duration = "max<50"`,
      `${rate(10)}${request}[scenarios.s.thresholds]\nmemory_bytes = "max<50"`,
      `${rate(10)}${request}group = "g"\n[scenarios.s.thresholds]\n"group_duration{group:g}" = "max<50"`,
      `${rate(10)}${request}[scenarios.s.thresholds]\n"http_req_duration{name:GET /,status:200}" = "max<50"`,
      `${rate(10)}script = "order.js"\n[scenarios.s.thresholds]\nws_connecting = "max<50"\norders_sent = "count>5"\n"http_req_duration{mine:1}" = "max<50"`,
    ],
  },
  'a sweep of nothing': {
    warns: [
      [
        `${rate(10)}sweep = { size = [1, 2] }\n${request}`,
        /^warn: nothing uses \$\{size\}: all of its cases would be the same/,
      ],
    ],
    silent: [
      `${rate(10)}sweep = { size = [1, 2] }\n${request}headers = { X = "\${size}" }`,
      `${rate(10)}sweep = { size = [1, 2] }\nscript = "order.js"`,
    ],
  },
  'thresholds on services that are not sampled': {
    options: { rest: 'environments.local.services = [{ name = "app", command = ["x"], sampled = false }]' },
    warns: [
      [
        `${rate(10)}${request}[scenarios.s.thresholds]\nmemory_bytes = "max<50"`,
        /"local" starts no sampled service: memory_bytes is not judged there/,
      ],
    ],
    silent: [],
  },
  'one machine': {
    options: { rest: 'environments.local.services = [{ name = "app", command = ["x"] }]' },
    warns: [[rate(10) + request, /^info: k6 and the services of "local" share one machine/]],
    silent: [],
  },
};

for (const [name, { warns, silent, options }] of Object.entries(lints)) {
  describe(`check warns of ${name}`, () => {
    for (const [scenario, message] of warns) {
      it(scenario.replaceAll('\n', ' '), async () => {
        const problems = await lint(scenario, options);
        assert.ok(
          problems.some((problem) => message.test(problem)),
          `${message} in\n${problems.join('\n') || 'nothing'}`,
        );
      });
    }
    for (const scenario of silent) {
      it(`not: ${scenario.replaceAll('\n', ' ')}`, async () => assert.deepEqual(await lint(scenario, options), []));
    }
  });
}

it('of many cases with one warning, the worst is shown and the others counted', async () => {
  const scenario = `${rate(1, 10).replace('rate = 1', 'rate = "${rate}"')}sweep = { rate = [5, 20, 30] }\n${request}think = "1s"`;
  const problems = await lint(scenario, { rest: '[profiles.quick.scenarios.s]\nsweep = { rate = [11] }' });
  assert.equal(problems.length, 2);
  assert.match(problems[0], /^warn: 30 iterations\/s .* \(s,rate=30; 1 more\)/);
  assert.match(problems[1], /^warn: 11 iterations\/s .* \(s,rate=11; profile quick\)/);
});

it('a file outside of the suite is warned of: others do not have it', async () => {
  const scenarios = ['../../../all.csv', '../../shared.csv'].map(
    (file, i) => `[scenarios.s${i}]\n${rate(10)}rows = { file = "${file}" }\nrequests = [{ get = "/\${row.id}" }]\n`,
  );
  const folder = await folderOf({
    'all.csv': 'id\n1\n',
    'suite/bench.toml': '',
    'suite/shared.csv': 'id\n1\n',
    'suite/specs/x/spec.toml': `title = "X"\nenvironments.local.url = "http://x"\n${scenarios.join('')}`,
  });
  const { problems } = checkSuite(openSuite(join(folder, 'suite')), ['x']);
  assert.deepEqual(
    problems.map(({ level, message }) => `${level}: ${message}`),
    ['warn: the data file ../../../all.csv is outside of the suite: a clone of the suite does not have it'],
  );
});

it('values of tables and charts that no case has in any profile are warned of', async () => {
  const problems = await lint(`${rate(10)}sweep = { size = [1, 2] }\n${request}headers = { X = "\${size}" }
[[scenarios.s.charts]]
x = "size"
y = "throughput_rps"
where = { size = [1, 3, 7] }
[profiles.quick.scenarios.s]
sweep = { size = [3] }`);
  assert.deepEqual(problems, ['warn: no case has size = 7. There are 1, 2, 3.']);
});
