import { UserError } from '../base/errors.js';
import { fillPlaceholders, placeholdersOf, portUsers, runnerScope, SpecError } from './cases/cases.js';
import type { Case } from './cases/expand.js';

/**
 * The values of placeholders while a case runs. ports: by service; empty before they are given out; ready: what steps captured
 */
export type RunnerValues = {
  env: NodeJS.ProcessEnv;
  specDir: string;
  runDir: string;
  ports: Record<string, number>;
  ready?: Record<string, unknown>;
};

/**
 * Puts in what is only known now: ports, folders and the environment's variables.
 * @param service whose `${port}` is meant
 * @throws {UserError} a name that stands for nothing
 */
export function fill<T>(value: T, values: RunnerValues, service?: string): T {
  try {
    return fillPlaceholders(value, runnerScope({ ...values, service }));
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    throw new UserError(`${values.specDir}: ${error.message}`, { cause: error });
  }
}

/** Where k6 sends its requests. */
export const baseUrlOf = (benchCase: Case, values: RunnerValues): string =>
  fill(benchCase.url, values, portUsers(benchCase)[0]);

/**
 * The environment variables that a definition asks for by `${env.NAME}`.
 * @param definition anything made of lists, tables and strings
 */
export function variablesOf(definition: unknown): string[] {
  const names = placeholdersOf(definition)
    .map(({ name }) => name)
    .filter((name) => name.startsWith('env.'));
  return [...new Set(names.map((name) => name.slice('env.'.length)))];
}

/**
 * Refuses a run whose specs ask for environment variables that are not set: before any load, not in the middle.
 * @throws {UserError}
 */
export function needVariables(cases: readonly Case[], env: NodeJS.ProcessEnv) {
  for (const benchCase of cases) {
    const missing = variablesOf(benchCase).filter((name) => env[name] === undefined);
    if (missing.length === 0) continue;
    const names = missing.join(', ');
    throw new UserError(`${benchCase.spec_dir}/spec.toml needs environment variables that are not set: ${names}`, {
      hint: `Set them before the run: export ${missing[0]}=…`,
    });
  }
}
