import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodes, UserError } from '../errors.js';
import { exec } from './exec.js';
import { findTool } from './find-tool.js';
import { bundle } from './jq-bundle.js';
import { hasOwnText, refusalHint, refusedPrograms } from './own-texts.js';

const ours = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'reports');

/**
 * What becomes of a program's input and output.
 * @typedef {{ args?: Record<string, unknown>, raw?: boolean, reports?: string }} JqOptions args become
 *   `$name`; raw: the program prints text; reports: a folder whose texts are printed in
 *   place of ours (own-texts.js)
 */

/**
 * Runs one program of reports/ over files, as `jq -n -L reports -f reports/<program> files…` does.
 * @param {string} program its name within reports/
 * @param {string[]} files JSON or NDJSON; a program tells them apart by input_filename
 * @param {JqOptions} [options]
 * @returns {Promise<any>} the one JSON value the program prints, or its text
 * @throws {UserError} code 4: jq ended with an error
 */
export const jq = (program, files, options) => run(program, { files }, options);

/**
 * Runs one program of reports/ over values that are in no file: they are its standard input.
 * @param {string} program
 * @param {unknown[]} values
 * @param {JqOptions} [options]
 * @returns {Promise<any>} as `jq` does
 * @throws {UserError} code 4: jq ended with an error
 */
export const jqOver = (program, values, options) =>
  run(program, { files: [], input: values.map((value) => JSON.stringify(value)).join('\n') }, options);

/**
 * @param {string} program
 * @param {{ files: string[], input?: string }} from
 * @param {JqOptions} [options]
 */
async function run(program, { files, input }, { args: named = {}, raw = false, reports } = {}) {
  const tool = await findTool('jq');
  const flags = Object.entries(named).flatMap(([name, value]) => ['--argjson', name, JSON.stringify(value)]);
  const args = ['-n', raw ? '-r' : '-c', ...flags, ...programOf(program, reports), ...files];
  // Ctrl-C ends the load, and what was measured is reduced.
  const text = await exec(tool.path, args, { input, detached: true }).then(String, (cause) => {
    throw new UserError(`reports/${program} failed: ${cause.stderr || cause.message}`, {
      code: exitCodes.error,
      cause,
    });
  });
  return raw ? text : JSON.parse(text);
}

/**
 * @param {string} program
 * @param {string} [reports]
 * @returns {string[]} arguments: ours as one text, unless the suite has a text of its own
 * @throws {UserError} the suite has programs that may not be its own
 */
function programOf(program, reports = ours) {
  if (reports === ours || !hasOwnText(reports, program)) return [bundled(program)];
  const [refused] = refusedPrograms(reports);
  if (refused) throw new UserError(`reports/${refused} would override what judges`, { hint: refusalHint });
  return ['-L', reports, '-L', ours, '-f', join(existsSync(join(reports, program)) ? reports : ours, program)];
}

/** Programs of ours that were run already. @type {Map<string, string>} */
const bundles = new Map();

/** @param {string} program @returns {string} */
function bundled(program) {
  const known = bundles.get(program) ?? bundle(ours, program);
  bundles.set(program, known);
  return known;
}
