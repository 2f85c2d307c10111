import { UserError } from '../base/errors.js';
import { fillPlaceholders, placeholdersOf, portUsers, runnerScope, SpecError } from './cases/cases.js';

/** @import { Case } from './cases/expand.js' */

/**
 * What placeholders stand for while a case runs.
 * @typedef {{ env: NodeJS.ProcessEnv, specDir: string, runDir: string, ports: Record<string, number>,
 *   ready?: Record<string, unknown> }} RunnerValues ports: by service; empty before they are given out; ready: what steps captured
 */

/**
 * Puts in what is only known now: ports, folders and the environment's variables.
 * @template T
 * @param {T} value
 * @param {RunnerValues} values
 * @param {string} [service] whose `${port}` is meant
 * @returns {T}
 * @throws {UserError} a name that stands for nothing
 */
export function fill(value, values, service) {
  try {
    return fillPlaceholders(value, runnerScope({ ...values, service }));
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    throw new UserError(`${values.specDir}: ${error.message}`, { cause: error });
  }
}

/**
 * Where k6 sends its requests.
 * @param {Case} benchCase
 * @param {RunnerValues} values
 * @returns {string}
 */
export const baseUrlOf = (benchCase, values) => fill(benchCase.url, values, portUsers(benchCase)[0]);

/**
 * The environment variables that a definition asks for by `${env.NAME}`.
 * @param {unknown} definition anything made of lists, tables and strings
 * @returns {string[]}
 */
export function variablesOf(definition) {
  const names = placeholdersOf(definition)
    .map(({ name }) => name)
    .filter((name) => name.startsWith('env.'));
  return [...new Set(names.map((name) => name.slice('env.'.length)))];
}

/**
 * Refuses a run whose specs ask for environment variables that are not set: before any load, not in the middle.
 * @param {readonly Case[]} cases
 * @param {NodeJS.ProcessEnv} env
 * @throws {UserError}
 */
export function needVariables(cases, env) {
  for (const benchCase of cases) {
    const missing = variablesOf(benchCase).filter((name) => env[name] === undefined);
    if (missing.length === 0) continue;
    const names = missing.join(', ');
    throw new UserError(`${benchCase.spec_dir}/spec.toml needs environment variables that are not set: ${names}`, {
      hint: `Set them before the run: export ${missing[0]}=…`,
    });
  }
}
