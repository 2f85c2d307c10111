// A repository in which init is called, and what it makes of it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseToml } from '../../dist/suite/cases/toml.js';
import { benchfolio, folderOf } from './cli.js';

/** A service in Node.js. */
export const server = `require('node:http').createServer((request, response) => response.end('Hello')).listen(process.env.PORT);\n`;

/** A repository with these files. @param {Record<string, string>} files */
export async function repository(files) {
  const folder = await folderOf(files);
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
  return folder;
}

/** @param {string} cwd @param {string[]} args */
export async function init(cwd, ...args) {
  const { code, stdout, stderr } = await benchfolio(['init', ...args], { cwd });
  assert.deepEqual([code, stderr], [0, ''], stdout);
  return stdout;
}

/** @param {string} folder @returns {Record<string, string>} all files but git's own, and what is in them */
export const filesOf = (folder) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .map(String)
      .sort()
      .filter((path) => !path.startsWith('.git/') && statSync(join(folder, path), { throwIfNoEntry: false })?.isFile())
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );

/** @param {string} folder @param {string} name @returns {any} */
export const specOf = (folder, name) => parseToml(readFileSync(join(folder, 'specs', name, 'spec.toml'), 'utf8'));

/** @param {string} folder */
export async function passesCheck(folder) {
  const { code, stdout } = await benchfolio(['check'], { cwd: folder });
  assert.equal(code, 0, stdout);
  assert.doesNotMatch(stdout, /^(error|warning)/m);
}
