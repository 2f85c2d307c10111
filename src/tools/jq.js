import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodes, UserError } from '../errors.js';
import { exec } from './exec.js';
import { findTool } from './find.js';

const ours = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'reports');

/**
 * Runs one program of reports/ over files: `jq -n -L reports -f reports/<program> files…`.
 * @param {string} program its name within reports/
 * @param {string[]} files JSON or NDJSON; a program tells them apart by input_filename
 * @param {{ args?: Record<string, unknown>, raw?: boolean, lines?: boolean, reports?: string }} [options] args become
 *   `$name`; raw: the program prints text; lines: the files are lines of text, not JSON; reports: a folder whose programs and modules shadow ours
 * @returns {Promise<any>} the one JSON value the program prints, or its text
 * @throws {UserError} code 4: jq ended with an error
 */
export async function jq(program, files, { args: named = {}, raw = false, lines = false, reports } = {}) {
  const tool = await findTool('jq');
  const folders = reports && reports !== ours ? [reports, ours] : [ours];
  const home = folders.length > 1 && (await exists(join(folders[0], program))) ? folders[0] : ours;
  const flags = Object.entries(named).flatMap(([name, value]) => ['--argjson', name, JSON.stringify(value)]);
  const args = [
    '-n',
    raw ? '-r' : '-c',
    ...(lines ? ['-R'] : []),
    ...folders.flatMap((folder) => ['-L', folder]),
    ...flags,
    '-f',
    join(home, program),
    ...files,
  ];
  // Much is read: gojq's collector is to keep its memory low (jq does not look at this).
  const env = lines ? { ...process.env, GOGC: '40', GOMEMLIMIT: '700MiB' } : process.env;
  const text = await exec(tool.path, args, { env }).then(String, (cause) => {
    throw new UserError(`reports/${program} failed: ${cause.stderr || cause.message}`, {
      code: exitCodes.error,
      cause,
    });
  });
  return raw ? text : JSON.parse(text);
}

/**
 * Runs one program of reports/ over values that are in no file.
 * @param {string} program
 * @param {unknown[]} values
 * @param {Parameters<typeof jq>[2]} [options]
 * @returns {Promise<any>} as `jq` does
 * @throws {UserError} code 4: jq ended with an error
 */
export async function jqOver(program, values, options) {
  const folder = await mkdtemp(join(tmpdir(), 'benchfolio-'));
  try {
    const files = values.map((_, i) => join(folder, `${i}.json`));
    await Promise.all(values.map((value, i) => writeFile(files[i], JSON.stringify(value))));
    return await jq(program, files, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} file */
async function exists(file) {
  const { access } = await import('node:fs/promises');
  return access(file).then(
    () => true,
    () => false,
  );
}
