import { exitCodes, UserError } from '../base/errors.js';
import { GitError, gitIn, withoutUser } from '../base/tools/git.js';

/**
 * Where records are kept for all: a branch of its own, without a history in common with others, that holds records and nothing
 * else: `<version>/<system>/<environment>/<case>.json`. root: a folder in the repository; remote: its name or its address
 */
export type DataBranch = { root: string; remote: string; branch: string };

/** The branch's name by default. */
export const usualBranch = { remote: 'origin', branch: 'bench-data' };

/**
 * Refuses what cannot name a branch, or is not a branch to keep records on.
 * @returns the same
 * @throws {UserError}
 */
export function branchName(branch: string): string {
  if (/^[A-Za-z0-9_][\w./-]*$/.test(branch) && !/\.\.|\/\/|\/$|\.lock$|\.$|^refs\/|^HEAD$/.test(branch)) return branch;
  throw new UserError(`"${branch}" cannot name a branch`, { hint: 'For example: --branch bench-data.' });
}

export const refOf = ({ branch }: DataBranch) => `refs/heads/${branch}`;

/**
 * The newest commit of the branch, its files brought here. No ref, no index and no working tree is touched.
 * @param known a commit of the branch that is here: what it has need not come again
 * @returns null: there is no such branch yet
 * @throws {UserError} code 4: the remote does not answer
 */
export async function fetchTip(dataBranch: DataBranch, known: string | null = null): Promise<string | null> {
  const git = gitIn(dataBranch.root);
  const ref = refOf(dataBranch);
  try {
    await git(['check-ref-format', ref]);
    const lines = String(await git(['ls-remote', '--end-of-options', dataBranch.remote, ref])).split('\n');
    const tip = lines.find((line) => line.endsWith(`\t${ref}`))?.split('\t')[0] ?? null;
    if (tip === null || tip === known) return tip;
    // By its ref: not every server gives a commit for its number. Later commits of others come too, and does no harm.
    await git([
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--refmap=',
      '--no-auto-maintenance',
      ...(known === null ? [] : [`--negotiation-tip=${known}`]),
      '--end-of-options',
      dataBranch.remote,
      ref,
    ]);
    return tip;
  } catch (error) {
    throw explained(error, `cannot read ${nameOf(dataBranch)}`);
  }
}

export const nameOf = ({ remote, branch }: DataBranch) => `${branch} of ${withoutUser(remote)}`;

/** @returns what git says, for people; anything else as it is */
export const explained = (error: unknown, what: string): unknown =>
  error instanceof GitError
    ? new UserError(`${what}: ${error.output || 'git does not say why'}`, { code: exitCodes.error, cause: error })
    : error;
