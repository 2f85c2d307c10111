import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { exitCodes, UserError } from '../base/errors.js';
import { makeTemporaryFolder } from '../base/io/files.js';
import { GitError, gitIn } from '../base/tools/git.js';
import { type DataBranch, explained, fetchTip, nameOf, refOf } from './data-branch.js';

/** How often a push is tried while others are faster, and while the branch stands still: then somebody refuses it. */
const tries = { racing: 100, refused: 5 };

/**
 * Adds files to the data branch, all of them or none, by a commit on its newest one. A file that is there is never
 * changed; one that is there with the same text is left alone.
 * @param files path: text
 * @param message of the commit
 * @returns how many of them are new
 * @throws {UserError} a file is there with another text; or (code 4) the remote does not answer, or refuses
 */
export async function pushFiles(
  dataBranch: DataBranch,
  files: ReadonlyMap<string, string>,
  message: string,
): Promise<number> {
  let before = null as string | null;
  for (let [turn, still] = [1, 0]; ; turn += 1) {
    const tip = await fetchTip(dataBranch, before);
    const { commit, added } = await commitOn(tip, files, dataBranch, message);
    if (commit === null) return 0;
    const refusal = await push(commit, dataBranch);
    if (refusal === null) return added;
    still = tip === before ? still + 1 : 0;
    before = tip;
    if (still >= tries.refused || turn >= tries.racing) {
      throw new UserError(`the records were not taken into ${nameOf(dataBranch)}: ${refusal}`, {
        code: exitCodes.error,
        hint: 'Nothing was changed there. The same command may be given again.',
      });
    }
    await wait(Math.random() * Math.min(4000, 100 * 2 ** turn)); // whoever waits a random time meets fewer others
  }
}

/** @returns null: it is there; else why this one was not taken, but another may be */
async function push(commit: string, dataBranch: DataBranch): Promise<string | null> {
  try {
    await gitIn(dataBranch.root)([
      'push',
      '--porcelain',
      '--no-verify',
      '--end-of-options',
      dataBranch.remote,
      `${commit}:${refOf(dataBranch)}`,
    ]);
    return null;
  } catch (error) {
    const refusal = error instanceof GitError && /^!\t\S+\t(.*)$/m.exec(error.output)?.[1];
    if (refusal) return refusal; // not forced: another was faster, or has the branch locked
    throw explained(error, `cannot push to ${nameOf(dataBranch)}`);
  }
}

/**
 * @param tip null: the branch begins here
 * @returns commit: null when all is there
 */
async function commitOn(
  tip: string | null,
  files: ReadonlyMap<string, string>,
  { root, branch }: DataBranch,
  message: string,
): Promise<{ commit: string | null; added: number }> {
  const scratch = makeTemporaryFolder();
  const run = gitIn(root, { GIT_INDEX_FILE: join(scratch, 'index') });
  const git = (args: string[], input: string = '') => run(args, input).then((text) => String(text).trim());
  try {
    await git(tip === null ? ['read-tree', '--empty'] : ['read-tree', tip]);
    const entries = [];
    for (const [path, text] of files) {
      entries.push(`100644 ${await git(['hash-object', '-w', '--stdin'], text)}\t${path}\0`);
    }
    await git(['update-index', '-z', '--index-info'], entries.join(''));
    const changes = (
      await git(['diff-index', '--cached', '-z', '--name-status', '--no-renames', tip ?? (await git(['mktree']))])
    )
      .split('\0')
      .filter(Boolean);
    const touched = changes.filter((_, i) => i % 2 === 1 && changes[i - 1] !== 'A');
    if (touched.length > 0) throw rewritten(touched, branch);
    if (changes.length === 0) return { commit: null, added: 0 };
    const tree = await git(['write-tree']);
    const commit = await git(['commit-tree', tree, ...(tip === null ? [] : ['-p', tip])], message);
    return { commit, added: changes.length / 2 };
  } catch (error) {
    throw explained(error, `cannot make a commit for ${branch}`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const rewritten = (paths: string[], branch: string) =>
  new UserError(`${branch} has ${paths.join(' and ')} already, with other content`, {
    hint: 'A kept record is never rewritten: choose another version.',
  });
