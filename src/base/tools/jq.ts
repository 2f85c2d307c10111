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
 * args become `$name`; raw: the program prints text; reports: a folder whose texts are printed in place of ours
 * (own-texts.ts)
 */
type JqOptions = { args?: Record<string, unknown>; raw?: boolean; reports?: string };

/**
 * Runs one program of reports/ over files, as `jq -n -L reports -f reports/<program> files…` does.
 * @param program its name within reports/
 * @param files JSON or NDJSON; a program tells them apart by input_filename
 * @returns the one JSON value the program prints, or its text
 * @throws {UserError} code 4: jq ended with an error
 */
export const jq = (program: string, files: string[], options?: JqOptions): Promise<any> =>
  run(program, { files }, options);

/**
 * Runs one program of reports/ over values that are in no file: they are its standard input.
 * @returns as `jq` does
 * @throws {UserError} code 4: jq ended with an error
 */
export const jqOver = (program: string, values: unknown[], options?: JqOptions): Promise<any> =>
  run(program, { files: [], input: values.map((value) => JSON.stringify(value)).join('\n') }, options);

async function run(
  program: string,
  { files, input }: { files: string[]; input?: string },
  { args: named = {}, raw = false, reports }: JqOptions = {},
) {
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
 * @returns arguments: ours as one text, unless the suite has a text of its own
 * @throws {UserError} the suite has programs that may not be its own
 */
function programOf(program: string, reports: string = ours): string[] {
  if (reports === ours || !hasOwnText(reports, program)) return [bundled(program)];
  const [refused] = refusedPrograms(reports);
  if (refused) throw new UserError(`reports/${refused} would override what judges`, { hint: refusalHint });
  return ['-L', reports, '-L', ours, '-f', join(existsSync(join(reports, program)) ? reports : ours, program)];
}

/** Programs of ours that were run already. */
const bundles: Map<string, string> = new Map();

function bundled(program: string): string {
  const known = bundles.get(program) ?? bundle(ours, program);
  bundles.set(program, known);
  return known;
}
