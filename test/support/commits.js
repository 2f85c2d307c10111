// A repository with commits, such as base and head, and a duet of them.
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { folderOf, spawnBenchfolio } from './cli.js';

const run = promisify(execFile);

/**
 * Makes a repository, with its last commit checked out.
 * @param {Record<string, string>} usual files of all
 * @param {Record<string, string | null>[]} commits files of each that differ from those before; null: the file is gone
 * @returns {Promise<string>} its folder
 */
export async function repositoryOf(usual, ...commits) {
  const folder = await folderOf({ '.gitignore': '.bench\n', ...usual });
  await git(folder, 'init', '-q', '-b', 'main');
  for (const files of commits) {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await (text === null ? rm(join(folder, path), { force: true }) : writeFile(join(folder, path), text));
    }
    await commit(folder);
  }
  return folder;
}

/** @param {string} folder @param {string[]} args */
const git = (folder, ...args) =>
  run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder });

/** Commits all that has changed. @param {string} folder */
export async function commit(folder) {
  await git(folder, 'add', '-A');
  await git(folder, 'commit', '-q', '--allow-empty', '-m', 'x');
}

/** Its checked-out trees are this test's only. @param {string} folder */
export const cacheOf = (folder) => join(folder, '.bench', 'cache');

/**
 * Runs a duet there.
 * @param {string} folder
 * @param {string[]} args json: what it printed, with --json
 */
export async function duet(folder, ...args) {
  const outcome = await spawnBenchfolio(['duet', ...args], { cwd: folder, env: { XDG_CACHE_HOME: cacheOf(folder) } });
  return { ...outcome, json: outcome.stdout.startsWith('{') ? JSON.parse(outcome.stdout) : null };
}
