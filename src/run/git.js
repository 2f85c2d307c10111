import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Which version of the suite is measured.
 * @param {string} folder
 * @returns {Promise<{ commit: string | null, dirty: boolean }>} commit null: not a git repository, or no commit yet;
 *   dirty: files differ from the commit
 */
export async function gitState(folder) {
  const git = (/** @type {string[]} */ ...args) =>
    run('git', ['-C', folder, ...args]).then(({ stdout }) => stdout.trim(), () => null);
  const [commit, changes] = await Promise.all([
    git('rev-parse', '--verify', 'HEAD'),
    git('status', '--porcelain', '--', '.', ':(exclude).bench'), // the lock is there by now
  ]);
  return { commit, dirty: commit !== null && changes !== '' };
}
