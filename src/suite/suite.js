import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../base/errors.js';
import { NotPlain, readPlain } from '../base/io/read-plain.js';
import { packageRoot } from '../base/tools/find-tool.js';
import { parseToml, TomlError } from './cases/toml.js';

/** @import { TomlTable } from './cases/toml.js' */

/**
 * A suite: a repository's bench.toml and specs.
 * @typedef {{ root: string, bench: TomlTable, benchText: string }} Suite
 */

/**
 * Finds the suite that a folder belongs to: the nearest bench.toml upwards.
 * @param {string} cwd
 * @returns {Suite}
 * @throws {UserError} no bench.toml upwards, or one that is not TOML
 */
export const loadSuite = (cwd) => withValues(openSuite(cwd));

/**
 * Reads the suite whose bench.toml stands in this very folder: above a commit's checkout there may be another suite.
 * @param {string} root
 * @returns {Suite}
 * @throws {UserError} no bench.toml there, or one that is not TOML
 */
export function suiteAt(root) {
  if (!hasSuite(root)) throw new UserError(`there is no bench.toml in ${root}`);
  return withValues({ root, benchText: textOf(join(root, 'bench.toml')) });
}

/** @param {string} root @returns {boolean} whether a suite's bench.toml stands there */
export const hasSuite = (root) => existsSync(join(root, 'bench.toml'));

/** @param {Omit<Suite, 'bench'>} opened @returns {Suite} */
function withValues({ root, benchText }) {
  const { tables, error } = tryToml(benchText);
  if (error) throw broken(error, join(root, 'bench.toml'));
  return { root, bench: tables, benchText };
}

/**
 * The same without reading bench.toml's values: for `check`, which shows what is wrong with them.
 * @param {string} cwd
 * @returns {Omit<Suite, 'bench'>}
 * @throws {UserError} no bench.toml upwards
 */
export function openSuite(cwd) {
  const root = rootOf(cwd);
  return { root, benchText: textOf(join(root, 'bench.toml')) };
}

/** @param {string} cwd @returns {string} */
function rootOf(cwd) {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'bench.toml'))) return folder;
    if (folder === dirname(folder)) {
      throw new UserError(`no bench.toml in ${cwd} or above it`, {
        hint: 'Begin with `npx benchfolio init`: it writes one, and a first spec.',
      });
    }
  }
}

/**
 * Is this the suite in Benchfolio's own repository?
 * @param {Pick<Suite, 'root'>} suite
 * @returns {boolean}
 */
export const isOurs = ({ root }) => realpathSync(root) === packageRoot;

/**
 * The systems of a suite: the folders in specs/ that hold a spec.toml, by name.
 * @param {Pick<Suite, 'root'>} suite
 * @returns {string[]}
 */
export function systemNames(suite) {
  const folder = join(suite.root, 'specs');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isFile(join(folder, entry.name, 'spec.toml')))
    .map((entry) => entry.name)
    .sort();
}

/**
 * What a command takes that is given no system: bench.toml's `default`, or the only system there is.
 * @param {Suite} suite
 * @returns {string[]}
 * @throws {UserError} there is none, or nothing says which
 */
export function defaultSystems(suite) {
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
 * @param {string} cwd
 * @returns {{ suite: { root: string }, systems: string[] }} systems: none where there is no suite
 */
export function systemsAround(cwd) {
  try {
    const suite = openSuite(cwd);
    return { suite, systems: systemNames(suite) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { suite: { root: cwd }, systems: [] };
  }
}

/** @param {string} path */
const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** How often a case is measured where neither the command line nor bench.toml says. */
export const defaultRounds = 5;

/**
 * The path of a system's spec.
 * @param {Pick<Suite, 'root'>} suite
 * @param {string} system
 * @returns {string} absolute
 * @throws {UserError} there is no such system
 */
export function specPath(suite, system) {
  const known = systemNames(suite);
  if (!known.includes(system)) {
    throw new UserError(`there is no system "${system}" in ${join(suite.root, 'specs')}`, {
      hint: known.length ? `Known systems: ${known.join(', ')}.` : 'A system is a folder in specs/ with a spec.toml.',
    });
  }
  return join(suite.root, 'specs', system, 'spec.toml');
}

/**
 * A spec as its file has it: not checked. file: as it is shown; path: absolute; spec: empty where the text is not TOML.
 * @typedef {{ file: string, path: string, text: string, spec: TomlTable, error: TomlError | null }} SpecFile
 */

/**
 * Reads a system's spec.
 * @param {Pick<Suite, 'root'>} suite
 * @param {string} system
 * @returns {TomlTable}
 * @throws {UserError} there is no such system, or its spec is not TOML
 */
export function readSpec(suite, system) {
  const { path, spec, error } = openSpec(suite, system);
  if (error) throw broken(error, path);
  return spec;
}

/**
 * The same for whoever goes on without the values of a spec that is not TOML: `check` says what is wrong with it.
 * @param {Pick<Suite, 'root'>} suite
 * @param {string} system
 * @returns {SpecFile}
 * @throws {UserError} there is no such system
 */
export function openSpec(suite, system) {
  const path = specPath(suite, system);
  const text = textOf(path);
  const { tables, error } = tryToml(text);
  return { file: `specs/${system}/spec.toml`, path, text, spec: tables, error };
}

/** @param {string} path */
function textOf(path) {
  try {
    return readPlain(path);
  } catch (cause) {
    const { message } = /** @type {Error} */ (cause);
    throw new UserError(`cannot read ${path}: ${cause instanceof NotPlain ? `it ${message}` : message}`, { cause });
  }
}

/** @param {string} text @returns {{ tables: TomlTable, error: TomlError | null }} */
function tryToml(text) {
  try {
    return { tables: parseToml(text), error: null };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { tables: {}, error };
  }
}

/** @param {TomlError} error @param {string} path */
const broken = (error, path) =>
  new UserError(`${path}, ${error.message}`, {
    hint: error.hint ?? '`npx benchfolio check` shows the place.',
    cause: error,
  });

/**
 * Where runs, the lock and caches of a suite are; not in git.
 * @param {Suite} suite
 * @returns {string} absolute
 */
export const benchDir = (suite) => join(suite.root, '.bench');

/** Files can be compared anywhere. @param {string} cwd @returns {boolean} */
export function isInSuite(cwd) {
  return existsSync(join(cwd, 'bench.toml')) || (dirname(cwd) !== cwd && isInSuite(dirname(cwd)));
}
