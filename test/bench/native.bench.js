// What the native player costs: requests per CPU second of the generator, beside the shortest k6 script and the generators
// that are on PATH (wrk, wrk2, bombardier, vegeta, hey, oha), on nginx with a 12-byte reply. All take turns, so that the
// ratios hold on a busy machine too. Needs nginx and wrk.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, findTool, packageRoot } from '../../src/tools/find.js';
import { freePort } from '../support/free-port.js';
import { median } from '../support/median.js';
import { size } from './short.js';

const repeats = Number(process.argv[2] ?? size(4, 1));
const seconds = size(3, 1);
const users = 10;

/** The open model: so many requests a second, on so many connections. */
const [rate, connections] = [20_000, 50];

/** @param {string} nginx @param {string} wrk */
async function compare(nginx, wrk) {
  const { path: k6 } = await findTool('k6');
  const made = mkdtempSync(join(tmpdir(), 'benchfolio-native-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(
    join(made, 'nginx.conf'),
    `worker_processes 1; daemon off; pid ${made}/pid; error_log ${made}/log;
events { worker_connections 4096; }
http { access_log off; keepalive_requests 1000000000; server { listen 127.0.0.1:${port}; location / { return 200 "hello world\\n"; }
  location /json { default_type application/json; return 200 '{"id":7,"user":{"name":"Ada"},"items":[1,2,3]}'; } } }`,
  );
  const server = spawn(nginx, ['-p', made, '-c', join(made, 'nginx.conf')], { stdio: 'ignore' });
  await new Promise((done) => setTimeout(done, 500));
  try {
    const spec = join(made, 'spec.toml');
    writeFileSync(spec, specOf());
    const script = join(made, 'shortest.js');
    writeFileSync(script, shortest(url));
    const player = (/** @type {string} */ entry, /** @type {string} */ scenario, gogc = '400') => [
      `GOGC=${gogc}`,
      k6,
      'run',
      '--no-usage-report',
      '--no-color',
      '-e',
      `SPEC=${spec}`,
      '-e',
      `SCENARIO=${scenario}`,
      '-e',
      `BASE_URL=${url}`,
      join(packageRoot, 'k6', entry),
    ];
    const byHand = (/** @type {string} */ kind, gogc = '100') => [
      `GOGC=${gogc}`,
      k6,
      'run',
      '--no-usage-report',
      '--no-color',
      '-e',
      `KIND=${kind}`,
      script,
    ];
    /** @type {Record<string, string[]>} */
    const sides = {
      wrk: ['GOGC=off', wrk, '-t1', `-c${users}`, `-d${seconds}`, `${url}/`],
      ...peersOf(`${url}/`),
      native: player('native.js', 'closed'),
      script: byHand('closed'),
      'script, GOGC=400': byHand('closed', '400'),
      'native, open': player('native.js', 'open'),
      'script, open': byHand('open'),
      'native, weighted': player('native.js', 'weighted'),
      'JavaScript, weighted': player('main.js', 'weighted'),
    };
    /** @type {Record<string, number[]>} */
    const costs = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
    /** @type {Record<string, number[]>} */
    const rates = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
    for (let i = 0; i < repeats; i += 1)
      for (const [name, command] of Object.entries(sides)) {
        const { cost, rps } = perCpuSecond(command);
        costs[name].push(cost);
        rates[name].push(rps);
      }
    console.log(
      `native player on nginx, a 12-byte reply, ${users} users, in the open model ${rate.toLocaleString('en')}/s by ${connections} ` +
        '(script: 3,000/s): requests per CPU second of the generator',
    );
    const counted = (/** @type {number} */ n) => Math.round(n).toLocaleString('en');
    for (const [name, all] of Object.entries(costs))
      console.log(
        `  ${name.padEnd(22)} ${counted(median(all)).padStart(8)} (${counted(Math.min(...all))} to ${counted(Math.max(...all))}), ` +
          `at ${counted(median(rates[name]))}/s`,
      );
    for (const [a, b, aim] of /** @type {[string, string, string][]} */ ([
      ['native', 'wrk', '0.6'],
      ['native', 'script', '5'],
      ['native', 'script, GOGC=400', 'none'],
      ['native, open', 'script, open', '4'],
      ['native, weighted', 'JavaScript, weighted', '4'],
      ['native, open', 'wrk2, open', '0.8'],
      ['native, open', 'bombardier, open', '1'],
    ])) {
      if (!costs[b]) continue;
      const ratios = costs[a].map((cost, i) => cost / costs[b][i]);
      console.log(
        `  ${a} : ${b}`.padEnd(46),
        `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; aim: ${aim})`,
      );
    }
  } finally {
    server.kill();
    rmSync(made, { recursive: true, force: true });
  }
}

/** @param {string[]} command after a variable of its environment @returns {{ cost: number, rps: number }} cost: requests by its CPU time */
function perCpuSecond([variable, ...command]) {
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="cpu %U %S"; time env "$@"', 'bash', variable, ...command],
    { encoding: 'utf8', env: { ...process.env, K6_AUTO_EXTENSION_RESOLUTION: 'false' }, timeout: 60_000 },
  );
  const [, user, system] = /^cpu ([\d.]+) ([\d.]+)$/m.exec(stderr) ?? [];
  const done = [...stdout.matchAll(counts)].at(-1) ?? [];
  const count = Number(done.slice(1).find((text) => text !== undefined));
  if (!(count > 0)) throw new Error(`${command.join(' ')} made no requests:\n${stdout}${stderr}`);
  return { cost: count / (Number(user) + Number(system)), rps: count / seconds };
}

/** How k6, wrk, bombardier, vegeta, and hey and oha say how many requests they made. */
const counts =
  /(\d+) complete and|(\d+) requests in|2xx - (\d+)|\[total, rate, throughput\]\s+(\d+)|\[200\]\s+(\d+) responses/g;

/**
 * The other generators that are here, in both models where they have both.
 * @param {string} url
 * @returns {Record<string, string[]>} commands after a variable of their environment
 */
function peersOf(url) {
  const [time, each] = [`${seconds}s`, rate / connections];
  /** @type {Record<string, string[]>} */
  const all = {
    bombardier: ['bombardier', '-c', `${users}`, '-d', time, '-p', 'result', url],
    hey: ['hey', '-c', `${users}`, '-z', time, url],
    oha: ['oha', '--no-tui', '-c', `${users}`, '-z', time, url],
    'wrk2, open': ['wrk2', '-t1', `-c${connections}`, `-d${seconds}`, `-R${rate}`, url],
    'bombardier, open': ['bombardier', '-c', `${connections}`, '-r', `${rate}`, '-d', time, '-p', 'result', url],
    'vegeta, open': [
      'bash',
      '-c',
      `echo GET ${url} | vegeta attack -rate ${rate} -duration ${time} -workers ${connections} -max-workers ${connections} | vegeta report`,
    ],
    'hey, open': ['hey', '-c', `${connections}`, '-q', `${each}`, '-z', time, url],
    'oha, open': ['oha', '--no-tui', '-c', `${connections}`, '-q', `${rate}`, '-z', time, url],
  };
  const isHere = (/** @type {string} */ name) => findProgram(name.split(',')[0], process.env);
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, command]) => (isHere(name) ? [[name, ['GOGC=100', ...command]]] : [])),
  );
}

const specOf = () => `title = "native"
[environments.local]
url = "http://127.0.0.1:1"
[scenarios.closed]
executor = "constant-vus"
vus = ${users}
duration = "${seconds}s"
[[scenarios.closed.requests]]
get = "/"
[scenarios.open]
executor = "constant-arrival-rate"
rate = ${rate}
duration = "${seconds}s"
preAllocatedVUs = ${connections}
[[scenarios.open.requests]]
get = "/"
[scenarios.weighted]
executor = "constant-vus"
vus = ${users}
duration = "${seconds}s"
[[scenarios.weighted.requests]]
get = "/"
weight = 6
expect = { status = 200, body = "hello" }
[[scenarios.weighted.requests]]
get = "/json"
weight = 3
expect = { json = { "user.name" = "Ada" } }
capture = { id = { json = "id" } }
[[scenarios.weighted.requests]]
post = "/"
weight = 1
body = { json = { item = 7 } }
`;

/** What a person would write. @param {string} url */
const shortest = (url) => `import http from 'k6/http';
export const options = { scenarios: { s: __ENV.KIND === 'open'
  ? { executor: 'constant-arrival-rate', rate: 3000, duration: '${seconds}s', preAllocatedVUs: 50 }
  : { executor: 'constant-vus', vus: ${users}, duration: '${seconds}s' } } };
export default function () { http.get('${url}/'); }
`;

const [nginx, wrk] = ['nginx', 'wrk'].map((name) => findProgram(name, process.env));
if (!nginx || !wrk) console.log('native player: left out, since nginx and wrk are not both on PATH');
else await compare(nginx, wrk);
