import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { makeFolder } from '../../../base/io/files.js';
import { CaseFailure } from '../../../base/process/failure.js';
import { ExecError, exec } from '../../../base/tools/exec.js';
import { callEnv, engineOf } from './engine.js';
import { imageName } from './image.js';

/** @import { Run } from '../../run-context.js' */

/**
 * A compose file as compose itself reads it: variables put in, files that it extends and includes merged, profiles chosen.
 * @typedef {Record<string, any>} ComposeTable whoever reads a key of it knows what compose has there
 * @typedef {{ services: Record<string, ComposeTable>, networks?: Record<string, ComposeTable | null>,
 *   volumes?: Record<string, ComposeTable | null>, [other: string]: unknown }} Model
 *
 * @typedef {'service_started' | 'service_healthy' | 'service_completed_successfully'} Condition
 */

/** What was read already: the file is the same for all starts of a run. @type {WeakMap<Run, Map<string, Promise<Model>>>} */
const known = new WeakMap();

/**
 * Reads a compose file by compose itself, once a run.
 * @param {string} path absolute
 * @param {Run} run
 * @returns {Promise<Model>} to be changed at will
 * @throws {CaseFailure} there is no compose, or it refuses the file
 */
export async function readModel(path, run) {
  const models = known.get(run) ?? new Map();
  known.set(run, models);
  if (!models.has(path)) models.set(path, configOf(path, run));
  return structuredClone(await models.get(path));
}

/** @param {string} path @param {Run} run @returns {Promise<Model>} */
async function configOf(path, run) {
  const [program, ...first] = composeOf(run);
  const isOld = first.length === 0; // compose 1 knows no profiles here, and prints YAML only
  try {
    const file = ['--file', path, '--project-name', imageName([path]), ...(isOld ? [] : ['--profile', '*'])];
    const printed = await exec(program, [...first, ...file, 'config', ...(isOld ? [] : ['--format', 'json'])], {
      ...callOf(path, run),
      onLine: (line) => /not set|is obsolete/i.test(line) && run.progress.note(`${basename(path)}: ${line.trim()}`),
    });
    return modelIn(String(printed));
  } catch (error) {
    if (!(error instanceof ExecError)) throw error;
    throw new CaseFailure(`${basename(path)} is not a compose file that can be used`, {
      detail: error.stderr || error.message,
    });
  }
}

/** How compose is called for a file, wherever we are: its folder is the one of the file. @param {string} path @param {Run} run */
export const callOf = (path, run) => ({
  cwd: dirname(path),
  env: { ...callEnv(run), PWD: dirname(path) },
  detached: true,
});

/** Where texts stand that look like numbers to some readers of YAML and not to others: 1e3, 0o17. */
const textKeys = ['environment', 'labels', 'command', 'entrypoint'];

/**
 * What compose printed, with those texts as they are written.
 * @param {string} printed
 * @returns {Model}
 */
function modelIn(printed) {
  const [model, plain] = [parse(printed), parse(printed, { schema: 'failsafe' })];
  for (const [name, service] of Object.entries(model.services ?? {})) {
    const own = plain.services[name];
    for (const key of textKeys.filter((field) => field in service)) service[key] = asWritten(service[key], own[key]);
    if (service.build?.args) service.build.args = asWritten(service.build.args, own.build.args);
  }
  return model;
}

/** @param {unknown} value @param {unknown} plain the same, all of it text @returns {unknown} */
function asWritten(value, plain) {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item, i) => asWritten(item, /** @type {unknown[]} */ (plain)[i]));
  if (typeof value !== 'object') return plain;
  const texts = /** @type {Record<string, unknown>} */ (plain);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asWritten(item, texts[key])]));
}

/**
 * Gives compose a model in a file. Variables are put in, which may be secrets: it is for us alone, and only for that time.
 * @param {Model} model
 * @param {{ folder: string, name: string }} where
 * @param {(file: string) => Promise<void>} work
 */
export async function withModel(model, { folder, name }, work) {
  const file = join(makeFolder(folder), `${name}.compose.json`);
  await writeFile(file, JSON.stringify(model), { mode: 0o600 });
  try {
    await work(file);
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {Run} run @returns {string[]} how compose is called @throws {CaseFailure} there is none */
export function composeOf(run) {
  const { name, compose } = engineOf(run);
  if (compose) return compose;
  throw new CaseFailure(`${name} has no compose`, {
    hint: `Install it; on Debian and Ubuntu: sudo apt-get install ${name === 'docker' ? 'docker-compose' : 'podman-compose'}`,
  });
}

/**
 * Those services and what they depend on, each after what it depends on.
 * @param {readonly string[]} names
 * @param {Model} model
 * @param {string} path of the file, for messages
 * @returns {string[]}
 * @throws {CaseFailure} the file has no such service
 */
export function neededBy(names, model, path) {
  /** @type {Set<string>} */
  const needed = new Set();
  const add = (/** @type {string} */ name) => {
    if (!model.services?.[name]) {
      throw new CaseFailure(`${basename(path)} has no service "${name}"`, {
        hint: `It has ${Object.keys(model.services ?? {}).join(', ') || 'none'}.`,
      });
    }
    for (const [other] of dependenciesOf(model.services[name])) if (!needed.has(other)) add(other);
    needed.add(name);
  };
  names.forEach(add);
  return [...needed];
}

/**
 * What a service depends on, said or not.
 * @param {ComposeTable} service
 * @returns {[string, Condition][]}
 */
export function dependenciesOf({ depends_on = [], links = [], volumes_from = [], network_mode, ipc, pid }) {
  /** @type {[string, Condition][]} */
  const said = Array.isArray(depends_on)
    ? depends_on.map((name) => [name, 'service_started'])
    : Object.entries(depends_on).map(([name, how]) => [name, how?.condition ?? 'service_started']);
  const shared = [network_mode, ipc, pid].map((mode) => /^service:(.+)$/.exec(String(mode))?.[1]);
  const others = [...links, ...volumes_from.filter((/** @type {string} */ source) => !source.startsWith('container:'))]
    .map((source) => String(source).split(':')[0])
    .concat(shared.filter((name) => name !== undefined));
  const names = new Set(said.map(([name]) => name));
  const more = [...new Set(others)].filter((name) => !names.has(name));
  return [...said, ...more.map((name) => /** @type {[string, Condition]} */ ([name, 'service_started']))];
}
