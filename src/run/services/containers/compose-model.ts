import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { makeFolder } from '../../../base/io/files.js';
import { CaseFailure } from '../../../base/process/failure.js';
import { ExecError, exec } from '../../../base/tools/exec.js';
import type { Run } from '../../run-context.js';
import { callEnv, engineOf } from './engine.js';
import { imageName } from './image.js';

/**
 * A compose file as compose itself reads it: variables put in, files that it extends and includes merged, profiles chosen.
 * whoever reads a key of it knows what compose has there
 */
type ComposeTable = Record<string, any>;

export type Model = {
  services: Record<string, ComposeTable>;
  networks?: Record<string, ComposeTable | null>;
  volumes?: Record<string, ComposeTable | null>;
  [other: string]: unknown;
};

export type Condition = 'service_started' | 'service_healthy' | 'service_completed_successfully';

/** What was read already: the file is the same for all starts of a run. */
const known: WeakMap<Run, Map<string, Promise<Model>>> = new WeakMap();

/**
 * Reads a compose file by compose itself, once a run.
 * @param path absolute
 * @returns to be changed at will
 * @throws {CaseFailure} there is no compose, or it refuses the file
 */
export async function readModel(path: string, run: Run): Promise<Model> {
  const models = known.get(run) ?? new Map();
  known.set(run, models);
  if (!models.has(path)) models.set(path, configOf(path, run));
  return structuredClone(await models.get(path));
}

async function configOf(path: string, run: Run): Promise<Model> {
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

/** How compose is called for a file, wherever we are: its folder is the one of the file. */
export const callOf = (path: string, run: Run) => ({
  cwd: dirname(path),
  env: { ...callEnv(run), PWD: dirname(path) },
  detached: true,
});

/** Where texts stand that look like numbers to some readers of YAML and not to others: 1e3, 0o17. */
const textKeys = ['environment', 'labels', 'command', 'entrypoint'];

/** What compose printed, with those texts as they are written. */
function modelIn(printed: string): Model {
  const [model, plain] = [parse(printed), parse(printed, { schema: 'failsafe' })];
  for (const [name, service] of Object.entries<any>(model.services ?? {})) {
    const own = plain.services[name];
    for (const key of textKeys.filter((field) => field in service)) service[key] = asWritten(service[key], own[key]);
    if (service.build?.args) service.build.args = asWritten(service.build.args, own.build.args);
  }
  return model;
}

/** @param plain the same, all of it text */
function asWritten(value: unknown, plain: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item, i) => asWritten(item, (plain as unknown[])[i]));
  if (typeof value !== 'object') return plain;
  const texts = plain as Record<string, unknown>;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asWritten(item, texts[key])]));
}

/** Gives compose a model in a file. Variables are put in, which may be secrets: it is for us alone, and only for that time. */
export async function withModel(
  model: Model,
  { folder, name }: { folder: string; name: string },
  work: (file: string) => Promise<void>,
) {
  const file = join(makeFolder(folder), `${name}.compose.json`);
  await writeFile(file, JSON.stringify(model), { mode: 0o600 });
  try {
    await work(file);
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * @returns how compose is called
 * @throws {CaseFailure} there is none
 */
export function composeOf(run: Run): string[] {
  const { name, compose } = engineOf(run);
  if (compose) return compose;
  throw new CaseFailure(`${name} has no compose`, {
    hint: `Install it; on Debian and Ubuntu: sudo apt-get install ${name === 'docker' ? 'docker-compose' : 'podman-compose'}`,
  });
}

/**
 * Those services and what they depend on, each after what it depends on.
 * @param path of the file, for messages
 * @throws {CaseFailure} the file has no such service
 */
export function neededBy(names: readonly string[], model: Model, path: string): string[] {
  const needed: Set<string> = new Set();
  const add = (name: string) => {
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

/** What a service depends on, said or not. */
export function dependenciesOf({
  depends_on = [],
  links = [],
  volumes_from = [],
  network_mode,
  ipc,
  pid,
}: ComposeTable): [string, Condition][] {
  const said: [string, Condition][] = Array.isArray(depends_on)
    ? depends_on.map((name) => [name, 'service_started'])
    : Object.entries<any>(depends_on).map(([name, how]) => [name, how?.condition ?? 'service_started']);
  const shared = [network_mode, ipc, pid].map((mode) => /^service:(.+)$/.exec(String(mode))?.[1]);
  const others = [...links, ...volumes_from.filter((source: string) => !source.startsWith('container:'))]
    .map((source) => String(source).split(':')[0])
    .concat(shared.filter((name) => name !== undefined));
  const names = new Set(said.map(([name]) => name));
  const more = [...new Set(others)].filter((name) => !names.has(name));
  return [...said, ...more.map((name) => [name, 'service_started'] as [string, Condition])];
}
