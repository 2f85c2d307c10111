import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../errors.js';
import { makeFolder } from '../../io/files.js';
import { askGit, gitIn } from '../../tools/git.js';
import { cachedTrees, cacheOf, dropTrees, holdTree, touchTree, treesIn, treesToDrop } from './tree-cache.js';

/**
 * The commit that a word names.
 * @param {string} ref anything that git takes for a commit
 * @param {string} cwd within the repository
 * @param {string[]} [known] systems: the ref may be one of them, misspelt
 * @returns {Promise<string>}
 * @throws {UserError} no repository, or no such commit
 */
export async function commitOf(ref, cwd, known) {
  const commit = await askGit(cwd)('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`);
  if (commit === null) throw await noSuch(ref, cwd, known);
  return commit;
}

/**
 * A commit's files, checked out outside the repository, so that no side finds the other's node_modules; once for each
 * tree, with what was built in it. It stays as long as this process lives.
 * @param {string} commit
 * @param {string} cwd within the repository
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} the folder, that of the repository's root
 */
export async function checkOut(commit, cwd, env) {
  const tree = String(await gitIn(cwd)(['rev-parse', `${commit}^{tree}`])).trim();
  const cache = cacheOf(env);
  const all = treesIn(cache);
  const folder = join(all, tree);
  holdTree(cache, tree); // before it is looked for: from now on no other run deletes it
  if (!existsSync(folder)) await fillFolder({ folder, all, tree, cwd });
  await touchTree(folder);
  await dropTrees(cache, treesToDrop(await cachedTrees(cache)));
  return folder;
}

/**
 * By an index of its own: neither the repository's index nor its list of worktrees is touched.
 * @param {{ folder: string, all: string, tree: string, cwd: string }} where
 */
async function fillFolder({ folder, all, tree, cwd }) {
  makeFolder(all);
  const draft = await mkdtemp(join(all, '.draft-'));
  try {
    const top = String(await gitIn(cwd)(['rev-parse', '--show-toplevel'])).trim();
    const git = gitIn(top, { GIT_INDEX_FILE: join(draft, 'index') });
    await git(['read-tree', tree]);
    await git(['checkout-index', '--all', '--quiet', `--prefix=${join(draft, 'files')}/`]);
    await mkdir(join(draft, 'files'), { recursive: true }); // an empty tree
    await rename(join(draft, 'files'), folder).catch((error) => {
      if (!existsSync(folder)) throw error; // else another duet was faster
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** @param {string} ref @param {string} cwd @param {string[]} [known] */
async function noSuch(ref, cwd, known) {
  const git = askGit(cwd);
  const inside = await git('rev-parse', '--show-toplevel');
  if (inside === null) return new UserError(`"${ref}" is not a folder, and ${cwd} is in no git repository`);
  const shallow = (await git('rev-parse', '--is-shallow-repository')) === 'true';
  return new UserError(`"${ref}" is neither a commit of this repository nor a folder`, {
    hint: shallow
      ? 'The clone is shallow: fetch it first, git fetch --depth 1 origin <ref>.'
      : `git log --oneline lists commits, git branch -a branches.${known ? ` Systems are ${known.join(', ')}.` : ''}`,
  });
}
