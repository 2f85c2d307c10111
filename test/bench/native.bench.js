// What the native player costs: requests per CPU second of the generator, beside the shortest k6 script and the generators
// that are on PATH (wrk, wrk2, bombardier, vegeta, hey, oha), on nginx with a 12-byte reply. nginx counts the requests of a
// few seconds amid a load, and the system the CPU time of these: what a program takes to begin is said apart. All take
// turns, so that the ratios hold on a busy machine too. Needs Linux, nginx and wrk.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, findTool } from '../../dist/base/tools/find-tool.js';
import { median } from '../support/median.js';
import { longest, perCpuSecond, playerCommand, ratioText, withNginx } from './loads-on-nginx.js';
import { size } from './short.js';

const repeats = Number(process.argv[2] ?? size(4, 1));
const users = 10;

/** The open model: so many requests a second, on so many connections. */
const [rate, connections] = [20_000, 50];

/** @param {string} nginx @param {string} wrk */
async function compare(nginx, wrk) {
  const { path: k6 } = await findTool('k6');
  const server = () => `location / { return 200 "hello world\\n"; }
    location /json { default_type application/json; return 200 '{"id":7,"user":{"name":"Ada"},"items":[1,2,3]}'; }`;
  await withNginx(nginx, server, async ({ folder, url, counted }) => {
    const spec = join(folder, 'spec.toml');
    writeFileSync(spec, specOf());
    const script = join(folder, 'shortest.js');
    writeFileSync(script, shortest(url));
    const player = (/** @type {string} */ scenario) => playerCommand({ k6, spec, scenario, url });
    const byHand = (/** @type {string} */ kind, gogc = '100') => [
      ...[`GOGC=${gogc}`, k6, 'run', '--no-usage-report', '--no-color', '-e', `KIND=${kind}`],
      script,
    ];
    /** @type {Record<string, string[]>} */
    const sides = {
      wrk: ['GOGC=off', wrk, '-t1', `-c${users}`, `-d${longest}`, `${url}/`],
      ...peersOf(`${url}/`, folder),
      native: player('closed'),
      script: byHand('closed'),
      'script, GOGC=400': byHand('closed', '400'),
      'native, open': player('open'),
      'script, open': byHand('open'),
      'native, weighted': player('weighted'),
      'JavaScript, weighted': playerCommand({ k6, entry: 'main.js', spec, scenario: 'weighted', url }),
    };
    /** @type {Record<string, number[]>} */
    const costs = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
    /** @type {Record<string, number[]>} */
    const rates = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
    /** @type {Record<string, number[]>} */
    const starts = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
    for (let i = 0; i < repeats; i += 1)
      for (const [name, command] of Object.entries(sides)) {
        const { cost, rps, start_s } = await perCpuSecond(command, counted);
        costs[name].push(cost);
        rates[name].push(rps);
        starts[name].push(start_s);
      }
    console.log(
      `native player on nginx, a 12-byte reply, ${users} users, in the open model ${rate.toLocaleString('en')}/s by ${connections} ` +
        '(script: 3,000/s): requests per CPU second of the generator',
    );
    const shown = (/** @type {number} */ n) => Math.round(n).toLocaleString('en');
    for (const [name, all] of Object.entries(costs))
      console.log(
        `  ${name.padEnd(22)} ${shown(median(all)).padStart(8)} (${shown(Math.min(...all))} to ${shown(Math.max(...all))}), ` +
          `at ${shown(median(rates[name]))}/s, to begin: ${median(starts[name]).toFixed(2)} s`,
      );
    for (const [a, b, aim] of /** @type {[string, string, string][]} */ ([
      ['native', 'wrk', '0.85'],
      ['native', 'script', '5'],
      ['native', 'script, GOGC=400', 'none'],
      ['native, open', 'script, open', '4'],
      ['native, weighted', 'JavaScript, weighted', '4'],
      ['native, open', 'wrk2, open', '0.8'],
      ['native, open', 'bombardier, open', '1'],
    ])) {
      if (costs[b]) console.log(`  ${a} : ${b}`.padEnd(46), ratioText(costs[a], costs[b], aim));
    }
  });
}

/**
 * The other generators that are here, in both models where they have both.
 * @param {string} url
 * @param {string} folder for their files
 * @returns {Record<string, string[]>} commands after a variable of their environment
 */
function peersOf(url, folder) {
  const [time, each] = [`${longest}s`, rate / connections];
  const targets = join(folder, 'targets');
  writeFileSync(targets, `GET ${url}\n`);
  /** @type {Record<string, string[]>} */
  const all = {
    bombardier: ['bombardier', '-c', `${users}`, '-d', time, '-p', 'result', url],
    hey: ['hey', '-c', `${users}`, '-z', time, url],
    oha: ['oha', '--no-tui', '-c', `${users}`, '-z', time, url],
    'wrk2, open': ['wrk2', '-t1', `-c${connections}`, `-d${longest}`, `-R${rate}`, url],
    'bombardier, open': ['bombardier', '-c', `${connections}`, '-r', `${rate}`, '-d', time, '-p', 'result', url],
    'vegeta, open': [
      ...['vegeta', 'attack', `-targets=${targets}`, `-rate=${rate}`, `-duration=${time}`, '-output=/dev/null'],
      ...[`-workers=${connections}`, `-max-workers=${connections}`],
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
duration = "${longest}s"
[[scenarios.closed.requests]]
get = "/"
[scenarios.open]
executor = "constant-arrival-rate"
rate = ${rate}
duration = "${longest}s"
preAllocatedVUs = ${connections}
[[scenarios.open.requests]]
get = "/"
[scenarios.weighted]
executor = "constant-vus"
vus = ${users}
duration = "${longest}s"
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
  ? { executor: 'constant-arrival-rate', rate: 3000, duration: '${longest}s', preAllocatedVUs: 50 }
  : { executor: 'constant-vus', vus: ${users}, duration: '${longest}s' } } };
export default function () { http.get('${url}/'); }
`;

const [nginx, wrk] = ['nginx', 'wrk'].map((name) => findProgram(name, process.env));
if (!nginx || !wrk) console.log('native player: left out, since nginx and wrk are not both on PATH');
else await compare(nginx, wrk);
