import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { makeFolder } from '../../base/io/files.js';
import { askGit, gitIn, whyNoRepository } from '../../base/tools/git.js';
import {
  cachedTrees,
  cacheOf,
  dropChanged,
  dropTrees,
  holdTree,
  touchTree,
  treesIn,
  treesToDrop,
} from './tree-cache.js';
import { compareTree, writeTree } from './tree-files.js';

/** @import { TreeFiles } from './tree-files.js' */

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
 * tree, with what was built in it. It stays as long as this process lives. A checkout that was used is compared with its commit
 * first: a service may have written into its files, and an earlier job may have.
 * @param {string} commit
 * @param {string} cwd within the repository
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ folder: string, notes: string[] }>} folder: that of the repository's root; notes: what is not there, and
 *   what was made anew
 */
export async function checkOut(commit, cwd, env) {
  const tree = await treeOf(commit, cwd);
  const cache = cacheOf(env);
  makeFolder(treesIn(cache));
  holdTree(cache, tree); // before it is looked for: from now on no other run deletes it
  const { folder, missing, changed } = await placeOf(tree, { cache, cwd });
  await touchTree(folder);
  await dropTrees(cache, treesToDrop(await cachedTrees(cache)));
  const again = `It was checked out again: ${changed} in its cached checkout was not the commit's any more.`;
  return { folder, notes: [...missing, ...(changed === null ? [] : [again])] };
}

/** @param {string} commit @param {string} cwd @returns {Promise<string>} git's hash of all of its files */
export const treeOf = async (commit, cwd) => String(await gitIn(cwd)(['rev-parse', `${commit}^{tree}`])).trim();

/**
 * Where a tree is used: where it was before, if its files are still those of the commit; else fresh files go there.
 * @param {string} tree
 * @param {{ cache: string, cwd: string }} of
 * @returns {Promise<TreeFiles & { folder: string, changed: string | null }>} changed: a file that was not the commit's any more
 */
async function placeOf(tree, { cache, cwd }) {
  const folder = join(treesIn(cache), tree);
  /** @type {string | null} */
  let changed = null;
  for (;;) {
    if (existsSync(folder)) {
      const compared = await inDraft(cache, (draft) => compareTree(folder, tree, { cwd, draft }));
      if (compared.changed === null) return { folder, missing: compared.missing, changed };
      changed = compared.changed;
    }
    const written = await inDraft(cache, async (draft) => {
      const { missing } = await writeTree(tree, { cwd, draft });
      // Another duet may be measuring there: what it uses stays, and this one has a folder of its own.
      if (changed !== null && !(await dropChanged(cache, tree)))
        return { folder: await ownPlace(join(draft, 'files'), { cache, tree }), missing, changed };
      return (await moved(join(draft, 'files'), folder)) ? { folder, missing, changed } : null;
    });
    if (written !== null) return written;
    // another duet was faster
  }
}

/**
 * @template T
 * @param {string} cache
 * @param {(draft: string) => Promise<T>} work draft: a folder on the disk of the cache, which is gone afterwards
 */
async function inDraft(cache, work) {
  const draft = await mkdtemp(join(treesIn(cache), '.draft-'));
  try {
    return await work(draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** @param {string} fresh @param {{ cache: string, tree: string }} of @returns {Promise<string>} a folder of this process alone */
async function ownPlace(fresh, { cache, tree }) {
  const own = `${tree}-${process.pid}`;
  holdTree(cache, own);
  const place = join(treesIn(cache), own);
  await rm(place, { recursive: true, force: true }); // of a process of the same number, long ago
  await rename(fresh, place);
  return place;
}

/** @param {string} from @param {string} to @returns {Promise<boolean>} false: there is something */
async function moved(from, to) {
  if (existsSync(to)) return false;
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (!existsSync(to)) throw error;
    return false; // another duet was faster
  }
}

/** @param {string} ref @param {string} cwd @param {string[]} [known] */
async function noSuch(ref, cwd, known) {
  const git = askGit(cwd);
  const refused = await whyNoRepository(cwd);
  if (refused !== null) return new UserError(`"${ref}" is not a folder, and ${refused.text}`, { hint: refused.hint });
  const shallow = (await git('rev-parse', '--is-shallow-repository')) === 'true';
  return new UserError(`"${ref}" is neither a commit of this repository nor a folder`, {
    hint: shallow
      ? 'The clone is shallow: fetch it first, git fetch --depth 1 origin <ref>.'
      : `git log --oneline lists commits, git branch -a branches.${known ? ` Systems are ${known.join(', ')}.` : ''}`,
  });
}
