import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import { CaseFailure } from '../../base/process/failure.js';
import { fillPlaceholders, runnerScope, SpecError } from '../../suite/cases/cases.js';
import type { Case } from '../../suite/cases/expand.js';
import { fill, type RunnerValues } from '../../suite/run-placeholders.js';

/**
 * Writes the files of a service that come from templates: ports, folders, parameters and swept values put in.
 * @throws {CaseFailure} a template that cannot be read, or names something that is not there
 */
export function writeTemplates({ name, files }: Case['services'][number], benchCase: Case, values: RunnerValues) {
  const known = runnerScope({ ...values, service: name });
  for (const [template, written] of Object.entries(files)) {
    const target = fill(written, values, name);
    makeFolder(dirname(target));
    const text = filled(join(values.specDir, template), (key) => known(key) ?? benchCase.parameters[key]);
    writeFileSync(target, text, { mode: 0o600 });
  }
}

function filled(file: string, scope: (name: string) => unknown): string {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => String(fillPlaceholders(line, scope)))
      .join('\n');
  } catch (error) {
    if (error instanceof SpecError) throw new CaseFailure(`${file}: ${error.message}`);
    throw new CaseFailure(`cannot read ${file}: ${(error as Error).message}`);
  }
}
