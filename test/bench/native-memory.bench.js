// The memory of the native player: after 20 times as many requests, and with 50,000 idle users on open connections. Needs
// nginx. FULL=1 sends 20 million requests (six minutes on a quiet machine), else two million.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, findTool, packageRoot } from '../../dist/base/tools/find-tool.js';
import { freePort } from '../support/free-port.js';
import { size } from './short.js';

const users = Number(process.argv[2] ?? size(50_000, 500));
const [ramp_s, hold_s, aim_s] = size([27, 10, 30], [1, 1, 30]);
const [few, many] = process.env.FULL ? [1e6, 20e6] : size([1e5, 2e6], [1e3, 1e4]);
const counted = (/** @type {number} */ n) => n.toLocaleString('en');

/** How many files a process may have open. */
const files = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1024);

/** A process has some files of its own: no more users than that. */
const processes = Math.ceil(users / (files - 500));

const scenario = (/** @type {string} */ name, /** @type {number} */ iterations) => `[scenarios.${name}]
executor = "shared-iterations"
vus = 50
iterations = ${iterations}
maxDuration = "30m"
requests = [{ get = "/" }]
`;

const spec = `title = "native"
[environments.local]
url = "http://127.0.0.1:1"
${scenario('few', few)}${scenario('many', many)}[scenarios.idle]
executor = "ramping-vus"
stages = [{ duration = "${ramp_s}s", target = ${users} }, { duration = "${hold_s}s", target = ${users} }]
gracefulStop = "0s"
requests = [{ get = "/", think = "1h" }]
`;

/** @param {string} nginx @param {string} folder */
async function measure(nginx, folder) {
  const { path: k6 } = await findTool('k6', { native: true });
  const port = await freePort();
  writeFileSync(
    join(folder, 'nginx.conf'),
    `worker_processes ${processes + 1}; daemon off; pid ${folder}/pid; error_log ${folder}/log;
events { worker_connections ${files - 100}; }
http { access_log off; keepalive_requests 1000000000; keepalive_timeout 1h;
  server { listen 127.0.0.1:${port} reuseport backlog=4096; location / { return 200 "hello world\\n"; } } }`,
  );
  writeFileSync(join(folder, 'spec.toml'), spec);
  const server = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  await new Promise((done) => setTimeout(done, 500));
  const run = (/** @type {string} */ scenario, parts = 1) =>
    Promise.all(
      Array.from({ length: parts }, (_, i) =>
        runPart({ k6, scenario, url: `http://127.0.0.1:${port}`, folder, part: i, parts }),
      ),
    );
  try {
    const [[small], [large]] = [await run('few'), await run('many')];
    console.log(
      `native player, memory: ${small.peak_mb.toFixed(0)} MB after ${counted(small.requests)} requests, ` +
        `${large.peak_mb.toFixed(0)} MB after ${counted(large.requests)}, ` +
        `${(large.peak_mb - small.peak_mb).toFixed(0)} MB more (aim: at most 30 MB)`,
    );
    const idle = await run('idle', processes);
    const sum = (/** @type {(one: typeof small) => number} */ of) => idle.reduce((total, one) => total + of(one), 0);
    console.log(
      `native player, ${counted(users)} users who wait on connections of their own: ${counted(sum(({ most }) => most))} connections ` +
        `${Math.max(...idle.map(({ complete_s }) => complete_s)).toFixed(1)} s after the start (aim: ${aim_s} s), ` +
        `${counted(sum(({ requests }) => requests))} answered, ${counted(sum(({ failed }) => failed))} failed, ` +
        `${sum(({ peak_mb }) => peak_mb).toFixed(0)} MB in ${processes} k6 process${processes > 1 ? 'es' : ''} (aim: 800 MB)`,
    );
    if (processes > 1)
      console.log(`  one process may have ${counted(files)} files open here: a connection is one (ulimit -n)`);
  } finally {
    server.kill();
  }
}

/**
 * Runs one k6 process' part of a scenario.
 * @param {{ k6: string, scenario: string, url: string, folder: string, part: number, parts: number }} given
 * @returns {Promise<{ peak_mb: number, requests: number, failed: number, most: number, complete_s: number }>} most:
 *   connections that were open at a time; complete_s: when that was
 */
async function runPart({ k6, scenario, url, folder, part, parts }) {
  const histograms = join(folder, `${scenario}-${part}.ndjson`);
  const values = { SPEC: join(folder, 'spec.toml'), SCENARIO: scenario, BASE_URL: url, HISTOGRAMS: histograms };
  const ends = Array.from({ length: parts + 1 }, (_, i) => (i === parts ? '1' : i === 0 ? '0' : `${i}/${parts}`));
  const segment =
    parts === 1
      ? []
      : ['--execution-segment', `${ends[part]}:${ends[part + 1]}`, '--execution-segment-sequence', ends.join(',')];
  const args = ['run', '--quiet', '--no-usage-report', ...segment].concat(
    Object.entries(values).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    join(packageRoot, 'k6', 'native.js'),
  );
  const child = spawn('nice', ['-n', '5', k6, ...args], { stdio: 'ignore', env: { ...process.env, GOGC: '400' } });
  let peak_mb = 0;
  const poll = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peak_mb = Math.max(peak_mb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000);
    } catch {
      // it has just ended
    }
  }, 100);
  await new Promise((done) => {
    child.once('exit', done);
  });
  clearInterval(poll);
  const lines = readFileSync(histograms, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const began = lines[0].started_ms;
  const total = (/** @type {string} */ name) =>
    lines.reduce((sum, { total: isTotal, counts }) => sum + (isTotal ? (counts[name] ?? 0) : 0), 0);
  // A user has a connection as soon as its request is answered, and keeps it.
  let [most, complete_s] = [0, 0];
  for (const { to_ms, tags, counts, total: isTotal } of lines) {
    if (isTotal || !tags?.name || !counts?.http_reqs) continue;
    most += counts.http_reqs;
    complete_s = (to_ms - began) / 1000;
  }
  return { peak_mb, requests: total('http_reqs'), failed: total('http_req_failed'), most, complete_s };
}

const nginx = findProgram('nginx', process.env);
const folder = mkdtempSync(join(tmpdir(), 'benchfolio-memory-'));
try {
  if (nginx) await measure(nginx, folder);
  else console.log('native player, memory: left out, since nginx is not on PATH');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
