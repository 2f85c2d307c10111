import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes, UserError } from '../base/errors.js';
import { findProgram, toolRequirements } from '../base/tools/find-tool.js';
import { openSpec } from './suite.js';

/** @import { TomlTable } from './cases/toml.js' */
/** @import { ToolRequirement } from '../base/tools/find-tool.js' */

/**
 * What a system requires beside npm packages, from its spec's `[[requires]]`. `missing` says what of it is not there.
 * @typedef {{ system: string, environments: string[] | null, package: string, why: string, found: string[],
 *   missing: string[] }} Requirement
 */

/**
 * What specs say of what must be installed.
 * @param {{ root: string }} suite
 * @param {readonly string[]} systems
 * @param {NodeJS.ProcessEnv} env
 * @returns {Requirement[]} each package of a system once
 */
export function requirementsOf(suite, systems, env) {
  return systems.flatMap((system) => {
    const { requires } = openSpec(suite, system).spec;
    return (Array.isArray(requires) ? requires : []).map((requirement) => look(system, requirement, env));
  });
}

/**
 * The optional tools that specs ask for, by the keys of their environments.
 * @param {{ root: string }} suite
 * @param {readonly string[]} systems
 * @returns {ToolRequirement[]} those that every run needs come first
 */
export function toolsFor(suite, systems) {
  const environments = systems.flatMap((system) => Object.values(openSpec(suite, system).spec.environments ?? {}));
  return Object.values(toolRequirements).filter(
    ({ optional }) =>
      optional === undefined || environments.some((environment) => environment?.[optional] !== undefined),
  );
}

/**
 * Does a system have services in containers, in any of its environments?
 * @param {{ root: string }} suite
 * @param {string} system
 * @returns {boolean}
 */
export function hasContainers(suite, system) {
  const environments = Object.values(openSpec(suite, system).spec.environments ?? {});
  return environments.some(
    (environment) =>
      environment?.compose !== undefined ||
      [environment?.services ?? []]
        .flat()
        .some((/** @type {TomlTable | undefined} */ service) => service?.container !== undefined),
  );
}

/**
 * Refuses to measure cases whose system is not complete.
 * @param {{ root: string }} suite
 * @param {readonly { system: string, environment: string }[]} cases
 * @param {NodeJS.ProcessEnv} env
 * @throws {UserError} code 4, with all that is missing
 */
export function refuseUnmetRequirements(suite, cases, env) {
  const systems = [...new Set(cases.map(({ system }) => system))];
  const missing = requirementsOf(suite, systems, env).filter(
    ({ system, environments, ...requirement }) =>
      requirement.missing.length > 0 &&
      cases.some((chosen) => chosen.system === system && (environments?.includes(chosen.environment) ?? true)),
  );
  if (missing.length === 0) return;
  const lines = missing.map(
    (requirement) => `  ${requirement.system} requires ${requirement.missing.join(' and ')}: ${requirement.why}`,
  );
  const packages = [...new Set(missing.flatMap((requirement) => requirement.package.split(/\s+/)))];
  throw new UserError(`not everything is installed:\n${lines.join('\n')}`, {
    code: exitCodes.error,
    hint: `Install it; on Debian and Ubuntu: ${installCommand(packages)}`,
  });
}

/** @param {readonly string[]} packages */
export const installCommand = (packages) => `sudo apt-get install ${packages.join(' ')}`;

/**
 * @param {string} system
 * @param {TomlTable} requirement
 * @param {NodeJS.ProcessEnv} env
 * @returns {Requirement}
 */
function look(system, requirement, env) {
  const places = [
    { name: requirement.program, path: requirement.program && findProgram(String(requirement.program), env) },
    { name: requirement.file, path: requirement.file && findFile(String(requirement.file)) },
  ].filter(({ name }) => name !== undefined);
  return {
    system,
    environments: requirement.environments ?? null,
    package: String(requirement.package),
    why: String(requirement.why),
    found: places.flatMap(({ path }) => path ?? []),
    missing: places.filter(({ path }) => !path).map(({ name }) => String(name)),
  };
}

/**
 * @param {string} pattern an absolute path; `*` stands for any name, or a part of one
 * @returns {string | null} the last of those that there are
 */
function findFile(pattern) {
  const [, ...names] = pattern.split('/');
  return (
    names
      .reduce(
        (folders, name) => {
          if (!name.includes('*'))
            return folders.map((folder) => join(folder, name)).filter((path) => existsSync(path));
          const wild = new RegExp(
            `^${name
              .split('*')
              .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
              .join('.*')}$`,
          );
          return folders.flatMap((folder) =>
            namesIn(folder)
              .filter((entry) => wild.test(entry))
              .map((entry) => join(folder, entry)),
          );
        },
        ['/'],
      )
      .at(-1) ?? null
  );
}

/** @param {string} folder */
function namesIn(folder) {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // not a folder, or not for us
  }
}
