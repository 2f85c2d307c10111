// Plays specs by the native player, without the runner: for what only it has.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { findTool } from '../../../dist/base/tools/find-tool.js';
import { root } from '../../support/k6/drive.js';
import { startRecorder } from './server.js';

const { path: k6 } = await findTool('k6');
const { path: jq } = await findTool('jq');
/** Where specs and runs are. */
export const suite = mkdtempSync(join(tmpdir(), 'benchfolio-native-'));
/** Where the spec is. */
export const folder = join(suite, 'specs', 'shop');
mkdirSync(folder, { recursive: true });
/** The server that specs are sent to. */
export const server = await startRecorder();
after(() => {
  server.close();
  rmSync(suite, { recursive: true });
});

/** A spec of one scenario. @param {string} load @param {string} requests */
export const specOf = (load, requests) =>
  `title = "Shop"\n[environments.local]\nurl = "http://127.0.0.1:1"\n[scenarios.s]\n${load}\n${requests}`;
/** A request of it. */
export const get = (/** @type {string} */ path, more = '') => `[[scenarios.s.requests]]\nget = "${path}"\n${more}\n`;

/**
 * Plays it.
 * @param {string} spec
 * @param {{ env?: Record<string, string>, args?: string[], interrupt?: number, url?: string }} [options] interrupt: ms
 * @returns {Promise<{ code: number | null, log: string, out: string, metrics: Record<string, any>, file: (name: string) => string }>}
 */
export function play(spec, { env = {}, args = [], interrupt, url = server.url } = {}) {
  const place = mkdtempSync(join(suite, 'run-'));
  const file = (/** @type {string} */ name) => join(place, name);
  writeFileSync(join(folder, 'spec.toml'), spec);
  const given = {
    ...(env.CASE ? {} : { SPEC: join(folder, 'spec.toml') }),
    BASE_URL: url,
    SUMMARY: file('summary.json'),
    HISTOGRAMS: file('histograms.ndjson'),
    ...env,
  };
  return new Promise((done) => {
    const child = spawn(
      k6,
      [
        'run',
        '--no-usage-report',
        '--no-color',
        ...args,
        ...Object.entries(given).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
        join(root, 'k6', 'native.js'),
      ],
      { cwd: suite, env: { ...process.env, PWD: suite, K6_AUTO_EXTENSION_RESOLUTION: 'false' }, timeout: 40_000 },
    );
    let [log, out] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      log += chunk;
    });
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      out += chunk;
    });
    if (interrupt) setTimeout(() => child.kill('SIGINT'), interrupt);
    child.on('close', (code) => {
      const metrics = existsSync(file('summary.json'))
        ? JSON.parse(readFileSync(file('summary.json'), 'utf8')).metrics
        : {};
      done({ code, log, out, metrics, file });
    });
  });
}

/** What a program of jq says of a file. @param {string} program @param {string} file @returns {any} */
export function jqOf(program, file) {
  const { stdout, stderr } = spawnSync(jq, ['-n', '-c', '-L', join(root, 'reports'), program, file], {
    encoding: 'utf8',
  });
  return JSON.parse(stdout || `"${stderr}"`);
}

/** A load with a second before and one after its window. */
export const steady = 'executor = "constant-vus"\nvus = 3\nduration = "3s"\nwindow = { from = "1s", to = "2s" }';
