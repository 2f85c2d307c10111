import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../base/errors.js';
import { NotPlain, readPlain } from '../base/io/read-plain.js';
import { packageRoot } from '../base/tools/find-tool.js';
import { parseToml, TomlError, type TomlTable } from './cases/toml.js';

/** A suite: a repository's bench.toml and specs. */
export type Suite = { root: string; bench: TomlTable; benchText: string };

/**
 * Finds the suite that a folder belongs to: the nearest bench.toml upwards.
 * @throws {UserError} no bench.toml upwards, or one that is not TOML
 */
export const loadSuite = (cwd: string): Suite => withValues(openSuite(cwd));

/**
 * Reads the suite whose bench.toml stands in this very folder: above a commit's checkout there may be another suite.
 * @throws {UserError} no bench.toml there, or one that is not TOML
 */
export function suiteAt(root: string): Suite {
  if (!hasSuite(root)) throw new UserError(`there is no bench.toml in ${root}`);
  return withValues({ root, benchText: textOf(join(root, 'bench.toml')) });
}

/** Has this folder a bench.toml? */
export const hasSuite = (root: string): boolean => existsSync(join(root, 'bench.toml'));

function withValues({ root, benchText }: Omit<Suite, 'bench'>): Suite {
  const { tables, error } = tryToml(benchText);
  if (error) throw broken(error, join(root, 'bench.toml'));
  return { root, bench: tables, benchText };
}

/**
 * The same without reading bench.toml's values: for `check`, which shows what is wrong with them.
 * @throws {UserError} no bench.toml upwards
 */
export function openSuite(cwd: string): Omit<Suite, 'bench'> {
  const root = rootOf(cwd);
  return { root, benchText: textOf(join(root, 'bench.toml')) };
}

function rootOf(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'bench.toml'))) return folder;
    if (folder === dirname(folder)) {
      throw new UserError(`no bench.toml in ${cwd} or above it`, {
        hint: 'Begin with `npx benchfolio init`: it writes one, and a first spec.',
      });
    }
  }
}

/** Is this the suite in Benchfolio's own repository? */
export const isOurs = ({ root }: Pick<Suite, 'root'>): boolean => realpathSync(root) === packageRoot;

/** The systems of a suite: the folders in specs/ that hold a spec.toml, by name. */
export function systemNames(suite: Pick<Suite, 'root'>): string[] {
  const folder = join(suite.root, 'specs');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isFile(join(folder, entry.name, 'spec.toml')))
    .map((entry) => entry.name)
    .sort();
}

/**
 * The systems of a command that is given none: bench.toml's `default`, or the only system there is.
 * @throws {UserError} there is none, or nothing says which
 */
export function defaultSystems(suite: Suite): string[] {
  const { default: chosen } = suite.bench;
  if (chosen !== undefined) return [chosen].flat();
  const names = systemNames(suite);
  if (names.length === 1) return names;
  if (names.length === 0) {
    throw new UserError(`there is no system in ${suite.root}/specs`, {
      hint: 'A system is a folder in specs/ with a spec.toml: `npx benchfolio init` writes one.',
    });
  }
  throw new UserError(`which system? There are ${names.join(', ')}`, {
    hint: `Name one: benchfolio run ${names[0]}. Or set \`default = "${names[0]}"\` in bench.toml.`,
  });
}

/**
 * The suite around a folder and its systems, for what can also be done without one.
 * @returns systems: none where there is no suite
 */
export function systemsAround(cwd: string): { suite: { root: string }; systems: string[] } {
  try {
    const suite = openSuite(cwd);
    return { suite, systems: systemNames(suite) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { suite: { root: cwd }, systems: [] };
  }
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** How often a case is measured where neither the command line nor bench.toml says. */
export const defaultRounds = 5;

/**
 * The path of a system's spec.
 * @returns absolute
 * @throws {UserError} there is no such system
 */
export function specPath(suite: Pick<Suite, 'root'>, system: string): string {
  const known = systemNames(suite);
  if (!known.includes(system)) {
    throw new UserError(`there is no system "${system}" in ${join(suite.root, 'specs')}`, {
      hint: known.length ? `Known systems: ${known.join(', ')}.` : 'A system is a folder in specs/ with a spec.toml.',
    });
  }
  return join(suite.root, 'specs', system, 'spec.toml');
}

/** A spec as its file has it: not checked. file: as it is shown; path: absolute; spec: empty where the text is not TOML. */
export type SpecFile = { file: string; path: string; text: string; spec: TomlTable; error: TomlError | null };

/**
 * Reads a system's spec.
 * @throws {UserError} there is no such system, or its spec is not TOML
 */
export function readSpec(suite: Pick<Suite, 'root'>, system: string): TomlTable {
  const { path, spec, error } = openSpec(suite, system);
  if (error) throw broken(error, path);
  return spec;
}

/**
 * The same for whoever goes on without the values of a spec that is not TOML: `check` says what is wrong with it.
 * @throws {UserError} there is no such system
 */
export function openSpec(suite: Pick<Suite, 'root'>, system: string): SpecFile {
  const path = specPath(suite, system);
  const text = textOf(path);
  const { tables, error } = tryToml(text);
  return { file: `specs/${system}/spec.toml`, path, text, spec: tables, error };
}

function textOf(path: string) {
  try {
    return readPlain(path);
  } catch (cause) {
    const { message } = cause as Error;
    throw new UserError(`cannot read ${path}: ${cause instanceof NotPlain ? `it ${message}` : message}`, { cause });
  }
}

function tryToml(text: string): { tables: TomlTable; error: TomlError | null } {
  try {
    return { tables: parseToml(text), error: null };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { tables: {}, error };
  }
}

const broken = (error: TomlError, path: string) =>
  new UserError(`${path}, ${error.message}`, {
    hint: error.hint ?? '`npx benchfolio check` shows the place.',
    cause: error,
  });

/**
 * Where runs, the lock and caches of a suite are; not in git.
 * @returns absolute
 */
export const benchDir = (suite: Suite): string => join(suite.root, '.bench');

/** Files can be compared anywhere. */
export function isInSuite(cwd: string): boolean {
  return existsSync(join(cwd, 'bench.toml')) || (dirname(cwd) !== cwd && isInSuite(dirname(cwd)));
}
