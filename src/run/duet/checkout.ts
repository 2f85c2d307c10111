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
import { compareTree, type TreeFiles, writeTree } from './tree-files.js';

/**
 * The commit that a word names.
 * @param ref anything that git takes for a commit
 * @param cwd within the repository
 * @param known systems: the ref may be one of them, misspelt
 * @throws {UserError} no repository, or no such commit
 */
export async function commitOf(ref: string, cwd: string, known?: string[]): Promise<string> {
  const commit = await askGit(cwd)('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`);
  if (commit === null) throw await noSuch(ref, cwd, known);
  return commit;
}

/**
 * A commit's files, checked out outside the repository, so that no side finds the other's node_modules; once for each
 * tree, with what was built in it. It stays as long as this process lives. A checkout that was used is compared with its commit
 * first: a service may have written into its files, and an earlier job may have.
 * @param cwd within the repository
 * @returns folder: that of the repository's root; notes: what is not there, and what was made anew
 */
export async function checkOut(
  commit: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ folder: string; notes: string[] }> {
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

/** @returns git's hash of all of its files */
export const treeOf = async (commit: string, cwd: string): Promise<string> =>
  String(await gitIn(cwd)(['rev-parse', `${commit}^{tree}`])).trim();

/**
 * Where a tree is used: where it was before, if its files are still those of the commit; else fresh files go there.
 * @returns changed: a file that was not the commit's any more
 */
async function placeOf(
  tree: string,
  { cache, cwd }: { cache: string; cwd: string },
): Promise<TreeFiles & { folder: string; changed: string | null }> {
  const folder = join(treesIn(cache), tree);
  let changed: string | null = null;
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

/** @param work draft: a folder on the disk of the cache, which is gone afterwards */
async function inDraft<T>(cache: string, work: (draft: string) => Promise<T>) {
  const draft = await mkdtemp(join(treesIn(cache), '.draft-'));
  try {
    return await work(draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** @returns a folder of this process alone */
async function ownPlace(fresh: string, { cache, tree }: { cache: string; tree: string }): Promise<string> {
  const own = `${tree}-${process.pid}`;
  holdTree(cache, own);
  const place = join(treesIn(cache), own);
  await rm(place, { recursive: true, force: true }); // of a process of the same number, long ago
  await rename(fresh, place);
  return place;
}

/** @returns false: there is something */
async function moved(from: string, to: string): Promise<boolean> {
  if (existsSync(to)) return false;
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (!existsSync(to)) throw error;
    return false; // another duet was faster
  }
}

async function noSuch(ref: string, cwd: string, known?: string[]) {
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
