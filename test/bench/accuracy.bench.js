// How true latencies are: what generators say beside what a server saw that writes down when each request came and when its
// answer went. Beside wrk, and wrk2 where it is on PATH. Needs go.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../../dist/base/tools/find-tool.js';
import { folderOf, spawnBenchfolio } from '../support/cli.js';
import { scratchFolder } from '../support/scratch.js';
import { lastRun, readJson } from '../support/situations.js';
import { size } from './short.js';

/**
 * Latencies in milliseconds by percentile; 100 is the maximum.
 * @typedef {Record<string, number | undefined>} Latencies
 * @typedef {{ said: Latencies, intended: Latencies }} Figures what a generator says; intended: from when requests were due, if it knows that
 * @typedef {{ count: number, ms: Latencies, bunched: number }} Seen by the server
 * @typedef {{ rate: number, seconds: number, users: number, url: string }} Load
 */

const here = dirname(fileURLToPath(import.meta.url));
const percentiles = ['50', '90', '99', '99.9', '100'];
const seconds = size(20, 2);

/** The server's delays, and how many requests it can answer in a second. */
const delays = [
  { name: 'log-normal, median 2 ms', delay: 'lognormal:2ms:0.5', capacity: 1000 / (2 * Math.exp(0.5 ** 2 / 2)) },
  { name: '1 ms, every 20th 20 ms', delay: 'bimodal:1ms:20ms:0.05', capacity: 1000 / (0.95 * 1 + 0.05 * 20) },
];

const folder = scratchFolder('accuracy');
const server = join(folder, 'recording-server');

/**
 * @param {string} delay of the server
 * @param {(load: Load) => Figures | Promise<Figures>} play
 * @param {Omit<Load, 'url'>} load
 * @returns {Promise<Figures & { seen: Seen }>}
 */
async function beside(delay, play, load) {
  const child = spawn(server, ['-delay', delay], { stdio: ['ignore', 'pipe', 'inherit'], env: {} });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    const { value: port } = await lines.next();
    const figures = await play({ ...load, url: `http://127.0.0.1:${port}/` });
    child.kill('SIGTERM');
    const { value: report } = await lines.next();
    return { ...figures, seen: JSON.parse(report) };
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

/** The native player, by `benchfolio run`: what counts of its record. @param {Load} load @returns {Promise<Figures>} */
async function native({ rate, seconds: duration, users, url }) {
  const spec = `title = "A"
[environments.here]
url = "${new URL(url).origin}"
[scenarios.steady]
executor = "constant-arrival-rate"
rate = ${rate}
duration = "${duration}s"
preAllocatedVUs = ${users}
saturation = "expected"
requests = [{ get = "/" }]
`;
  const cwd = await folderOf({ 'bench.toml': '[run]\nplayer = "native"\n', 'specs/a/spec.toml': spec });
  const { stderr } = await spawnBenchfolio(['run', '--rounds', '1'], { cwd });
  const record = join(await lastRun(cwd), 'a', 'here', 'steady', 'record.json');
  if (!existsSync(record)) throw new Error(`the run left no record: ${stderr}`);
  const { metrics, player } = await readJson(record);
  if (player !== 'native') throw new Error(`the ${player} player sent it: ${stderr}`);
  const latencies = (/** @type {string} */ name) =>
    Object.fromEntries(
      percentiles.map((p) => {
        const { valid, value } = metrics[`${name}_${p === '100' ? 'max' : `p${p.replace('.', '')}`}`] ?? {};
        return [p, valid ? value : undefined];
      }),
    );
  return { said: latencies('latency_ms'), intended: latencies('intended_latency_ms') };
}

/** wrk has no rate: so many connections, each of which waits for its answer. @param {Load} load @returns {Figures} */
const wrk = ({ seconds: duration, url }) => ({
  said: printed('wrk', ['-t1', '-c2', `-d${duration}s`, '--latency', url]),
  intended: {},
});

/** @param {Load} load @returns {Figures} */
function wrk2({ rate, seconds: duration, users, url }) {
  const said = printed('wrk2', ['-t1', `-c${users}`, `-d${duration}s`, `-R${rate}`, '--latency', url]);
  return { said, intended: said };
}

/** @param {string} command @param {string[]} args @returns {Latencies} as wrk prints them */
function printed(command, args) {
  const { stdout } = spawnSync(command, args, { encoding: 'utf8' });
  const units = /** @type {Record<string, number>} */ ({ us: 1e-3, ms: 1, s: 1e3, m: 6e4 });
  const ms = (/** @type {string} */ text) => {
    const [, value, unit] = /^([\d.]+)(us|ms|s|m)$/.exec(text) ?? [];
    return Number(value) * units[unit];
  };
  const lines = [...stdout.matchAll(/^\s+([\d.]+)%\s+([\d.]+(?:us|ms|s|m))$/gm)];
  const longest = /^\s+Latency\s+\S+\s+\S+\s+(\S+)/m.exec(stdout)?.[1] ?? '';
  return Object.fromEntries([
    ...lines.map(([, p, text]) => [String(Number(p)), ms(text)]),
    ...(lines.some(([, p]) => Number(p) === 100) ? [] : [['100', ms(longest)]]),
  ]);
}

const number = (/** @type {number | undefined} */ ms) =>
  ms === undefined || Number.isNaN(ms) ? '–' : ms.toPrecision(ms < 100 ? 3 : 4);

/** @param {string} text @param {Latencies} latencies */
const row = (text, latencies) =>
  console.log(`  ${text.padEnd(30)}${percentiles.map((p) => number(latencies[p]).padStart(9)).join('')}`);

/** @param {string} title */
const heading = (title) =>
  console.log(
    `${title}\n  ${'ms'.padEnd(30)}${percentiles.map((p) => (p === '100' ? 'max' : `p${p}`).padStart(9)).join('')}`,
  );

/** @param {number | undefined} said @param {number | undefined} seen */
function difference(said, seen) {
  if (said === undefined || seen === undefined) return 'not known';
  const by = said - seen;
  return `${by < 0 ? '−' : '+'}${Math.abs(1000 * by).toFixed(0)} µs (${((100 * by) / seen).toFixed(1)} %)`;
}

async function measure() {
  execFileSync('go', ['build', '-o', server, '.'], {
    cwd: join(here, 'recording-server'),
    stdio: 'inherit',
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false' },
  });
  const peers = Object.entries({ wrk, wrk2 }).filter(([name]) => findProgram(name, process.env));
  const players = [/** @type {const} */ (['native', native]), ...peers];

  for (const { name, delay, capacity } of delays)
    for (const share of [0.3, 0.9]) {
      const rate = Math.round(share * capacity);
      heading(`accuracy: a server with one worker, ${name}, ${rate}/s: ${100 * share} % of what it can do`);
      for (const [player, play] of players) {
        // wrk's two connections are one load whatever the rate is: once will do
        if (player === 'wrk' && share !== 0.9) continue;
        const { said, seen } = await beside(delay, play, { rate, seconds, users: 100 });
        row(`${player} said`, said);
        row(`  the server saw, ${seen.count}`, seen.ms);
        const off = ['50', '99'].map((p) => `p${p} ${difference(said[p], seen.ms[p])}`);
        console.log(`  ${''.padEnd(30)}${off.join(', ')} (aim: 3 % or 30 µs)`);
      }
    }

  const [rate, freeze] = [200, { after: seconds / 4, length: size(3, 0.5) }];
  heading(
    `accuracy: a server that freezes for ${freeze.length} s, ${rate}/s for ${seconds} s, from the intended start`,
  );
  // What is due in the freeze ends with it: the p-th percentile waits for length - (1 - p) · seconds.
  const byHand = Object.fromEntries(
    percentiles.map((p) => [p, Math.max(0, 1000 * (freeze.length - (1 - Number(p) / 100) * seconds))]),
  );
  row('by hand', byHand);
  for (const [player, play] of players) {
    const delay = `freeze:${freeze.after}s:${freeze.length}s`;
    const { said, intended } = await beside(delay, play, {
      rate,
      seconds,
      users: Math.ceil(1.2 * rate * freeze.length),
    });
    row(player, player === 'wrk' ? said : intended); // wrk does not know when requests were due
  }

  console.log(
    'accuracy: how evenly a rate is kept: requests that came within a tenth of the mean gap after the one before',
  );
  for (const [player, play] of players) {
    if (player === 'wrk') continue;
    for (const each of [500, 5000]) {
      const { seen } = await beside('none', play, { rate: each, seconds: size(5, 1), users: 50 });
      console.log(`  ${player}, ${each}/s: ${(100 * seen.bunched).toFixed(1)} % of ${seen.count} (at random: 9.5 %)`);
    }
  }
}

if (findProgram('go', process.env)) await measure();
else console.log('accuracy: left out, since go is not on PATH');
