// What the native player costs: requests per CPU second of the generator, beside wrk and the shortest k6 script, on
// nginx with a 12-byte reply. All take turns, so that the ratios hold on a busy machine too. Needs nginx and wrk.
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
    for (let i = 0; i < repeats; i += 1)
      for (const [name, command] of Object.entries(sides)) costs[name].push(perCpuSecond(command));
    console.log(`native player on nginx, a 12-byte reply, ${users} users, requests per CPU second of the generator`);
    for (const [name, all] of Object.entries(costs))
      console.log(`  ${name.padEnd(22)} ${Math.round(median(all)).toLocaleString('en')}`);
    for (const [a, b, aim] of /** @type {[string, string, string][]} */ ([
      ['native', 'wrk', '0.6'],
      ['native', 'script', '5'],
      ['native', 'script, GOGC=400', 'none'],
      ['native, open', 'script, open', '4'],
      ['native, weighted', 'JavaScript, weighted', '4'],
    ])) {
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

/** @param {string[]} command after a variable of its environment @returns {number} requests by its CPU time */
function perCpuSecond([variable, ...command]) {
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="cpu %U %S"; time env "$@"', 'bash', variable, ...command],
    { encoding: 'utf8', env: { ...process.env, K6_AUTO_EXTENSION_RESOLUTION: 'false' }, timeout: 60_000 },
  );
  const [, user, system] = /^cpu ([\d.]+) ([\d.]+)$/m.exec(stderr) ?? [];
  const done = [...stdout.matchAll(/(\d+) complete and|(\d+) requests in/g)].at(-1) ?? [];
  const count = Number(done[1] ?? done[2]);
  if (!(count > 0)) throw new Error(`${command.join(' ')} made no requests:\n${stdout}${stderr}`);
  return count / (Number(user) + Number(system));
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
rate = 10000
duration = "${seconds}s"
preAllocatedVUs = 50
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
