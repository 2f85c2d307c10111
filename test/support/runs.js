import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { schemaVersion } from '../../reports/schema/version.js';
import { edit, rawOf, readJson } from './raw.js';
import { scratchFolder } from './scratch.js';

/** @import { World } from '../../dist/base/world.js' */

/**
 * A suite outside the repository.
 * @param {string} [bench] its bench.toml
 * @returns {string} its folder
 */
export function newSuite(bench = '') {
  const folder = scratchFolder('suite');
  writeFileSync(join(folder, 'bench.toml'), bench);
  return folder;
}

/**
 * A case of a run: which raw files it has, and how they are changed.
 * @typedef {{ raw?: string, name?: string, status?: string, reason?: string | null, change?: (folder: string) => void }} RawCase
 */

/**
 * Puts a run into a suite, as `benchfolio run` leaves it before it is judged.
 * @param {string} suite
 * @param {string} id
 * @param {RawCase[]} cases
 * @returns {string} the run's folder
 */
export function addRun(suite, id, cases) {
  const run = join(suite, '.bench', 'runs', id);
  const listed = cases.map((made) => addCase(run, id, made));
  writeFileSync(
    join(run, 'run.json'),
    JSON.stringify({
      schema: schemaVersion,
      id,
      time: '2026-11-21T11:38:26.000Z',
      command: 'benchfolio run tiny',
      options: {},
      cases: listed,
    }),
  );
  writeFileSync(join(suite, '.bench', 'latest'), `${id}\n`);
  return run;
}

/**
 * Puts a duet into a suite, as `benchfolio duet` leaves it.
 * @param {string} suite
 * @param {any} comparison its outcome
 * @returns {string} its folder
 */
export function addDuet(suite, comparison) {
  const folder = join(suite, '.bench', 'runs', comparison.run);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'comparison.json'), JSON.stringify(comparison));
  return folder;
}

/** @param {string} run @param {string} id @param {RawCase} made */
function addCase(run, id, { raw, name = raw, status = 'measured', reason = null, change = () => {} }) {
  const environment = raw ? readJson(join(rawOf(raw), 'case.json')).case.environment : 'single';
  const dir = join('tiny', environment, String(name));
  mkdirSync(join(run, dir), { recursive: true });
  if (raw) {
    cpSync(rawOf(raw), join(run, dir), { recursive: true, filter: (file) => !file.endsWith('record.json') });
    edit(join(run, dir, 'case.json'), (file) => ({ ...file, case: { ...file.case, name }, run: { ...file.run, id } }));
    change(join(run, dir));
  }
  return { system: 'tiny', environment, case: name, dir, status, reason };
}

/**
 * A world for a verb.
 * @param {string} cwd
 * @param {{ env?: NodeJS.ProcessEnv, isTTY?: boolean, columns?: number }} [given]
 * @returns {World & { text: () => string }} text: what went to stdout
 */
export function worldIn(cwd, { env = {}, isTTY = false, columns = 80 } = {}) {
  let text = '';
  const stdout = Object.assign(
    new Writable({
      write: (chunk, _, done) => {
        text += chunk;
        done();
      },
    }),
    { isTTY, columns, getColorDepth: () => WriteStream.prototype.getColorDepth(env) },
  );
  return { cwd, env, stdin: process.stdin, stdout, stderr: process.stderr, text: () => text };
}
