// Loads by different generators on nginx, of which a few seconds are measured: nginx counts the requests, the system the CPU
// time of the generator. What a program takes to begin and to end is left out.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { usageMeter } from '../../dist/base/process/usage.js';
import { packageRoot } from '../../dist/base/tools/find-tool.js';
import { freePort } from '../support/free-port.js';
import { median } from '../support/median.js';
import { size } from './short.js';

/** Milliseconds of a load, from its first requests on: those that are left out, and those that count. */
const [before_ms, window_ms] = [size(1000, 200), size(3000, 500)];

/** Seconds that a load is to last: it is ended when it was measured. */
export const longest = 60;

/**
 * Works with an nginx of one worker, which is gone afterwards.
 * @param {string} nginx
 * @param {(place: { folder: string, tlsPort: number, http2Port: number }) => string} serverOf what its server has, besides the page that counts
 * @param {(place: { folder: string, url: string, tlsUrl: string, http2Url: string, counted: string }) => Promise<void>} work
 *   folder: for files; counted: where it says how many requests it has had
 */
export async function withNginx(nginx, serverOf, work) {
  const folder = mkdtempSync(join(tmpdir(), 'benchfolio-nginx-'));
  const [port, tlsPort, http2Port] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(
    join(folder, 'nginx.conf'),
    `user root; worker_processes 1; daemon off; pid ${folder}/pid; error_log ${folder}/log;
events { worker_connections 4096; }
http { access_log off; keepalive_requests 1000000000; client_body_temp_path ${folder}/bodies;
  server { listen 127.0.0.1:${port}; ${serverOf({ folder, tlsPort, http2Port })}
    location /counted { stub_status; } } }`,
  );
  const server = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  await sleep(500);
  try {
    const [tlsUrl, http2Url] = [tlsPort, http2Port].map((one) => `https://127.0.0.1:${one}`);
    await work({ folder, url, tlsUrl, http2Url, counted: `${url}/counted` });
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * How the native player, or the JavaScript one, is started on a scenario of a spec.
 * @param {{ k6: string, entry?: 'native.js' | 'main.js', spec: string, scenario: string, url: string, env?: string[] }} given
 * @returns {string[]}
 */
export const playerCommand = ({ k6, entry = 'native.js', spec, scenario, url, env = [] }) => [
  ...['GOGC=400', ...env, k6, 'run', '--no-usage-report', '--no-color'],
  ...[`SPEC=${spec}`, `SCENARIO=${scenario}`, `BASE_URL=${url}`].flatMap((variable) => ['-e', variable]),
  join(packageRoot, 'k6', entry),
];

/**
 * Measures a load, and ends it.
 * @param {string[]} command after variables of its environment
 * @param {string} counted where nginx says how many requests it has had
 * @returns {Promise<{ cost: number, rps: number, start_s: number }>} cost: requests by their CPU time; start_s: CPU time until
 *   its first requests
 * @throws {Error} it makes no requests, or ends too early
 */
export async function perCpuSecond(command, counted) {
  const requests = async () => Number(/(\d+) (\d+) (\d+)/.exec(await (await fetch(counted)).text())?.[3]);
  const none = await requests();
  const env = { ...process.env, K6_AUTO_EXTENSION_RESOLUTION: 'false' };
  const load = spawn('env', command, { env, stdio: ['ignore', 'ignore', 'pipe'] }); // env becomes the command
  let said = '';
  load.stderr.on('data', (text) => (said += text));
  const ended = new Promise((resolve) => load.on('close', resolve));
  try {
    const usage = usageMeter();
    const cpu_s = () => usage([Number(load.pid)]).cpu_ns / 1e9;
    const latest = performance.now() + longest * 500;
    while ((await requests()) < none + 100) {
      if (load.exitCode !== null || performance.now() > latest)
        throw new Error(`${command.join(' ')} made no requests:\n${said}`);
      await sleep(10);
    }
    const start_s = cpu_s();
    await sleep(before_ms);
    const [from, used, began] = [await requests(), cpu_s(), performance.now()];
    await sleep(window_ms);
    const [count, took] = [(await requests()) - from, cpu_s() - used];
    if (load.exitCode !== null) throw new Error(`${command.join(' ')} ended while it was measured:\n${said}`);
    return { cost: count / took, rps: (1000 * count) / (performance.now() - began), start_s };
  } finally {
    load.kill('SIGKILL');
    await ended;
  }
}

/**
 * Ratios of two series, pair by pair: their median, and how far they reach.
 * @param {number[]} a
 * @param {number[]} b
 * @param {string} aim
 * @returns {string} "0.75 (0.56 to 0.92; aim: 0.85)"
 */
export function ratioText(a, b, aim) {
  const ratios = a.map((value, i) => value / b[i]);
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; aim: ${aim})`;
}
