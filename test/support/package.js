import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './cli.js';

/** What npm tells the programs that it starts is not for those that they start: its prefix would be ours. */
export const cleanEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

/**
 * Runs a program as a person would, in another place than ours.
 * @param {string} cwd
 * @param {string} program
 * @param {string[]} args
 * @returns {string} what it prints
 */
export const call = (cwd, program, ...args) =>
  execFileSync(program, args, {
    cwd,
    env: cleanEnv,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 26,
  });

/**
 * A package as npm gets it.
 * @param {string} folder where to
 * @param {string} [place] the folder that is packed: ours
 * @returns {{ file: string, size: number, paths: string[] }}
 */
export function pack(folder, place = root) {
  const npm = ['npm', 'pack', '--json', '--silent', '--pack-destination', folder];
  // One after the other: npm-shrinkwrap.json is there while it is packed, and is removed then.
  const printed = JSON.parse(call(place, 'flock', 'package.json', ...npm));
  const [{ filename, size, files }] = Array.isArray(printed) ? printed : Object.values(printed); // npm 12 names the package
  return { file: join(folder, filename), size, paths: files.map((/** @type {{ path: string }} */ { path }) => path) };
}

/** Without questions to the registry that the cache can answer. */
export const npmInstall = ['install', '--prefer-offline', '--no-audit', '--no-fund'];
