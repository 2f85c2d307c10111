import { askGit } from '../../base/tools/git.js';

/** The lock is there by now; it covers the kept records, not the present run. */
const notMeasured = [
  ...['.bench', 'reports/versions', 'reports/duets', 'reports/calibrations'].map((path) => `:(exclude)${path}`),
  ':(top,exclude).tools', // where workflows install us
];

/**
 * Which version of the suite is measured.
 * @returns commit null: not a git repository, or no commit yet; dirty: files of the repository differ from the commit, those
 *   outside of the suite too: a service may be among them
 */
export async function gitState(folder: string): Promise<{ commit: string | null; dirty: boolean }> {
  const git = askGit(folder);
  const [commit, changes] = await Promise.all([
    git('rev-parse', '--verify', 'HEAD'),
    git('status', '--porcelain', '--', ':(top)', ...notMeasured),
  ]);
  return { commit, dirty: commit !== null && changes !== '' };
}
