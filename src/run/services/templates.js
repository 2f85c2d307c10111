import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import { CaseFailure } from '../../base/process/failure.js';
import { fillPlaceholders, runnerScope, SpecError } from '../../suite/cases/cases.js';
import { fill } from '../../suite/run-placeholders.js';

/** @import { Case } from '../../suite/cases/expand.js' */
/** @import { RunnerValues } from '../../suite/run-placeholders.js' */

/**
 * Writes the files of a service that come from templates: ports, folders, parameters and swept values put in.
 * @param {Case['services'][number]} service
 * @param {Case} benchCase
 * @param {RunnerValues} values
 * @throws {CaseFailure} a template that cannot be read, or names something that is not there
 */
export function writeTemplates({ name, files }, benchCase, values) {
  const known = runnerScope({ ...values, service: name });
  for (const [template, written] of Object.entries(files)) {
    const target = fill(written, values, name);
    makeFolder(dirname(target));
    const text = filled(join(values.specDir, template), (key) => known(key) ?? benchCase.parameters[key]);
    writeFileSync(target, text, { mode: 0o600 });
  }
}

/**
 * @param {string} file
 * @param {(name: string) => unknown} scope
 * @returns {string}
 */
function filled(file, scope) {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => String(fillPlaceholders(line, scope)))
      .join('\n');
  } catch (error) {
    if (error instanceof SpecError) throw new CaseFailure(`${file}: ${error.message}`);
    throw new CaseFailure(`cannot read ${file}: ${/** @type {Error} */ (error).message}`);
  }
}
