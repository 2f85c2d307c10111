import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { linkOrEmpty, pids, readOrNull, readProcess } from '../../dist/base/process/processes.js';
import { root, startBenchfolio } from './cli.js';
import { makeQuiet } from './quiet.js';
import { scratchFolder } from './scratch.js';
import { until } from './until.js';

/**
 * A copy of a fixture, outside the repository: each test has a .bench of its own.
 * @param {(spec: string) => string} [edit] changes the spec
 * @param {string} [fixture]
 * @returns {Promise<string>} its folder
 */
export async function situations(edit = (spec) => spec, fixture = 'run-situations') {
  const folder = scratchFolder('run');
  await cp(join(root, 'test', 'fixtures', fixture), folder, { recursive: true });
  makeQuiet(folder);
  const spec = join(folder, 'specs', 'box', 'spec.toml');
  await writeFile(spec, edit(await readFile(spec, 'utf8')));
  return folder;
}

/**
 * Starts `benchfolio run box …`.
 * @param {string} cwd
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
export const startRun = (cwd, args, env = {}) => startBenchfolio(['run', 'box', ...args], { cwd, env });

/**
 * The processes that a run in this folder started: by its marker, or by where they work or write.
 * @param {string} folder
 */
export function startedIn(folder) {
  const runs = join(folder, '.bench', 'runs');
  const ids = existsSync(runs) ? readdirSync(runs) : [];
  return pids()
    .filter((pid) => {
      const places = ['cwd', 'fd/1', 'fd/2', 'fd/3'].map((name) => linkOrEmpty(`/proc/${pid}/${name}`));
      if (places.some((place) => place.startsWith(`${folder}/`))) return true;
      const environment = readOrNull(`/proc/${pid}/environ`) ?? '';
      return ids.some((id) => environment.includes(`BENCHFOLIO_RUN=${id}`));
    })
    .map(readProcess)
    .filter((found) => found !== null && found.state !== 'Z');
}

/** Is it the k6 that tries each request once? It is gone in a moment. @param {number} pid */
const isSmoke = (pid) => (readOrNull(`/proc/${pid}/cmdline`) ?? '').includes('SMOKE=1');

/**
 * @param {string} folder
 * @param {string} name of the program
 * @returns {Promise<number>} the pid of a process of the run, as soon as there is one
 */
export async function processIn(folder, name) {
  const found = await until(
    () => startedIn(folder).find((one) => one?.name === name && !isSmoke(one.pid)),
    () => `no ${name} in ${folder}`,
  );
  return found?.pid ?? 0;
}

/** Fails when something that a run in this folder started stays. @param {string} folder */
export async function assertNothingLeft(folder) {
  const left = () => startedIn(folder);
  await until(
    () => left().length === 0,
    () => `left running: ${JSON.stringify(left())}`,
    10_000,
  );
}

/**
 * The folder of the last run.
 * @param {string} folder
 */
export async function lastRun(folder) {
  const runs = join(folder, '.bench', 'runs');
  return join(runs, /** @type {string} */ ((await readdir(runs)).sort().at(-1)));
}

/** @param {string} file */
export const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'));

/**
 * Fails when a file below the folder's .bench holds a text.
 * @param {string} folder
 * @param {string} text
 */
export async function assertNowhere(folder, text) {
  for (const entry of await readdir(join(folder, '.bench'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const content = await readFile(join(entry.parentPath, entry.name), 'utf8');
    assert.ok(!content.includes(text), `${entry.name} has it`);
  }
}
