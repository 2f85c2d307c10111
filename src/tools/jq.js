import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodes, UserError } from '../errors.js';
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
export async function jq(program, files, { args = {}, raw = false, lines = false, reports } = {}) {
  const tool = await findTool('jq');
  const folders = reports && reports !== ours ? [reports, ours] : [ours];
  const home = folders.length > 1 && (await exists(join(folders[0], program))) ? folders[0] : ours;
  const flags = Object.entries(args).flatMap(([name, value]) => ['--argjson', name, JSON.stringify(value)]);
  const text = await capture(
    tool.path,
    [
      '-n',
      raw ? '-r' : '-c',
      ...(lines ? ['-R'] : []),
      ...folders.flatMap((folder) => ['-L', folder]),
      ...flags,
      '-f',
      join(home, program),
      ...files,
    ],
    program,
    lines,
  );
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

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} program for the error's text
 * @param {boolean} sparing much is read: gojq's collector is to keep its memory low (jq does not look at this)
 * @returns {Promise<string>} standard output
 */
function capture(command, args, program, sparing) {
  return new Promise((resolve, reject) => {
    const env = sparing ? { ...process.env, GOGC: '40', GOMEMLIMIT: '700MiB' } : process.env;
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (out += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk) => (err += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new UserError(`reports/${program} failed: ${err.trim()}`, { code: exitCodes.error }));
    });
  });
}
