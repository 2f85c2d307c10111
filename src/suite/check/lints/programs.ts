import { findProgram } from '../../../base/tools/find-tool.js';
import type { Path } from '../../cases/error.js';
import type { Case } from '../../cases/expand.js';
import { placeholdersOf } from '../../cases/placeholders.js';
import type { Lint, LintContext } from './lints.js';

/**
 * The programs that a case calls by their names and that are not on PATH: those of its services, and Prometheus where it
 * reads metrics and no address of one is given.
 * @param requires of the spec: what it requires is said by itself (src/suite/requirements.ts)
 * @returns path: of the key that wants it
 */
export function missingPrograms(
  { environment, scenario, services, queries, prometheus }: Case,
  env: NodeJS.ProcessEnv,
  requires?: unknown,
): { path: Path; program: string; message: string }[] {
  const required = new Set((Array.isArray(requires) ? requires : []).map(({ program }) => program));
  const programs = services.flatMap(({ name, command, env: own, container }, i) => {
    const [program] = command;
    if (container || program.includes('/') || placeholdersOf(program).length > 0 || own.PATH !== undefined) return [];
    const message = `service "${name}" starts ${program}, which is not on PATH`;
    return { path: ['environments', environment, 'services', i, 'command'], program, message };
  });
  if (queries.length > 0 && !prometheus?.url) {
    const path = ['scenarios', scenario];
    const message = `there is no prometheus on PATH, so ${queries.map(({ name }) => name).join(', ')} will be missing`;
    programs.push({ path, program: 'prometheus', message });
  }
  return programs.filter(({ program }) => !required.has(program) && findProgram(program, env) === null);
}

/** A missing program is reported before the load, not after it. */
export const lintPrograms = (benchCase: Case, { here, written }: LintContext): Lint[] =>
  missingPrograms(benchCase, process.env, written.requires).map(({ path, program, message }) => ({
    level: here ? 'warn' : 'info',
    path,
    message,
    hint:
      program === 'prometheus'
        ? 'Install it, or name one that runs: [prometheus] url.'
        : `Install ${program}, or write the path of it.`,
  }));
