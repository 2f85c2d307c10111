import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes, UserError } from '../base/errors.js';
import { findProgram, type ToolRequirement, toolRequirements } from '../base/tools/find-tool.js';
import type { TomlTable } from './cases/toml.js';
import { openSpec } from './suite.js';

/** What a system requires beside npm packages, from its spec's `[[requires]]`. `missing` says what of it is not there. */
export type Requirement = {
  system: string;
  environments: string[] | null;
  package: string;
  why: string;
  found: string[];
  missing: string[];
};

/**
 * What specs say of what must be installed.
 * @returns each package of a system once
 */
export function requirementsOf(
  suite: { root: string },
  systems: readonly string[],
  env: NodeJS.ProcessEnv,
): Requirement[] {
  return systems.flatMap((system) => {
    const { requires } = openSpec(suite, system).spec;
    return (Array.isArray(requires) ? requires : []).map((requirement) => look(system, requirement, env));
  });
}

/**
 * The optional tools that specs ask for, by the keys of their environments.
 * @returns those that every run needs come first
 */
export function toolsFor(suite: { root: string }, systems: readonly string[]): ToolRequirement[] {
  const environments = systems.flatMap((system) =>
    Object.values<TomlTable>(openSpec(suite, system).spec.environments ?? {}),
  );
  return Object.values(toolRequirements).filter(
    ({ optional }) =>
      optional === undefined || environments.some((environment) => environment?.[optional] !== undefined),
  );
}

/** Does a system have services in containers, in any of its environments? */
export function hasContainers(suite: { root: string }, system: string): boolean {
  const environments = Object.values<TomlTable>(openSpec(suite, system).spec.environments ?? {});
  return environments.some(
    (environment) =>
      environment?.compose !== undefined ||
      [environment?.services ?? []].flat().some((service: TomlTable | undefined) => service?.container !== undefined),
  );
}

/**
 * Refuses to measure cases whose system is not complete.
 * @throws {UserError} code 4, with all that is missing
 */
export function refuseUnmetRequirements(
  suite: { root: string },
  cases: readonly { system: string; environment: string }[],
  env: NodeJS.ProcessEnv,
) {
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

export const installCommand = (packages: readonly string[]) => `sudo apt-get install ${packages.join(' ')}`;

function look(system: string, requirement: TomlTable, env: NodeJS.ProcessEnv): Requirement {
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
 * @param pattern an absolute path; `*` stands for any name, or a part of one
 * @returns the the last of its tools
 */
function findFile(pattern: string): string | null {
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

function namesIn(folder: string) {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // not a folder, or not for us
  }
}
