import { UserError } from '../../base/errors.js';
import { askGit } from '../../base/tools/git.js';
import { keptDuets, readDuet } from '../../records/duets.js';
import { FileProblem } from '../../records/read-record.js';
import type { DuetSide } from './sides.js';

/** The word for it on the command line, where no commit, branch or folder is called so. */
export const keptWord = 'kept';

/**
 * The commit up to which duets are kept: the head of the newest one that leads to this head. From there the next duet goes on,
 * so that kept duets are a chain.
 * @returns a commit; where no duet leads here, the one before head
 * @throws {UserError} head is of no commit, or there is none before it
 */
export async function keptBase(suite: { root: string }, head: DuetSide): Promise<string> {
  const git = askGit(suite.root);
  const { commit, dirty } = head;
  if (commit === null) {
    throw new UserError(`"${keptWord}" is the commit up to which duets are kept, and ${head.label} is of no commit`, {
      hint: 'Name the base: a commit, a branch or a folder.',
    });
  }
  for (const kept of newestHeads(suite)) {
    if (kept === commit && !dirty) continue;
    if ((await git('merge-base', '--is-ancestor', kept, commit)) !== null) return kept;
  }
  if (dirty) return commit;
  const before = await git('rev-parse', '--verify', '--end-of-options', `${commit}^`);
  if (before !== null) return before;
  throw new UserError(`no kept duet leads to ${head.label}, and there is no commit before it`, {
    hint: 'In a shallow clone fetch its history first: git fetch --unshallow. Bring the duets of others: benchfolio keep --pull.',
  });
}

/** @returns commits, that of the newest duet first */
function newestHeads(suite: { root: string }): Set<string> {
  const duets = keptDuets(suite, () => {}).flatMap((kept) => {
    try {
      return [readDuet(kept)];
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      return []; // the pages name it
    }
  });
  const heads = duets.sort((a, b) => b.time.localeCompare(a.time)).map(({ commits }) => commits?.head ?? null);
  return new Set(heads.filter((head) => head !== null));
}
