import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { UserError } from '../../base/errors.js';
import { askGit, gitIn, withoutUser } from '../../base/tools/git.js';
import { hasSuite, type Suite, suiteAt } from '../../suite/suite.js';
import { gitState } from '../session/git-state.js';
import { checkOut, commitOf, treeOf } from './checkout.js';

/** Where a side of a duet is: a suite's folder, or an address where the system runs already. */
type SidePlace = {
  /** what people call it */
  label: string;
  /** the folder of its suite */
  root: string;
  /** the folder of its repository; without one that of the suite */
  top?: string;
  /** null unless it is one */
  url: string | null;
  commit: string | null;
  /** files differ from the commit */
  dirty: boolean;
  /** what means the same elsewhere and later: a commit by its number; null: the working tree */
  word: string | null;
  /** git's hash of all files of the repository; null: they are no commit's */
  tree?: string | null;
  /** what is not there of a commit's files */
  notes?: readonly string[];
};

/**
 * A side, opened once: what it measures and how it judges is read from here and nowhere else.
 * suite: null: it has none that can be read, or is an address; problem: why it cannot be read
 */
export type DuetSide = Required<SidePlace> & { suite: Suite | null; problem: UserError | null };

/** Opens the suite of a side, at its very place. */
export function openSide(place: SidePlace): DuetSide {
  const side = { tree: null, notes: [], top: place.root, ...place, suite: null, problem: null };
  if (place.url !== null) return side;
  try {
    return { ...side, suite: suiteAt(place.root) };
  } catch (problem) {
    if (!(problem instanceof UserError)) throw problem;
    return { ...side, problem };
  }
}

/**
 * The suite whose rules count: base's. Whoever asks for a change does not set the rule that it is judged by. Head's own count only
 * where base has none: it is an address, it has no benchmark yet, or one that cannot be read, and then nothing passes.
 */
export const judgingSuite = (base: DuetSide, ofHead: Suite): Suite => base.suite ?? ofHead;

/** @returns is it a commit or a folder without a suite? */
export const hasNoBenchmark = ({ url, root }: DuetSide): boolean => url === null && !hasSuite(root);

/** known: names that are taken for something else; the word may be one of them, misspelt */
type Where = { suite: { root: string }; cwd: string; env: NodeJS.ProcessEnv; known?: string[] };

/**
 * Finds the side that a word names: an address, a commit, or a folder. A word that git resolves is a commit; a folder begins
 * with "./", "../" or "/", where a commit has its name. A pull request can add a folder of any name.
 * @param word undefined: the working tree
 * @throws {UserError} it names nothing, or a commit and a suite's folder
 */
export async function findSide(word: string | undefined, { suite, cwd, env, known }: Where): Promise<DuetSide> {
  if (word === undefined) return folderSide(suite.root, { label: 'the working tree', word: null });
  if (/^https?:\/\//.test(word)) return addressSide(word, suite.root);
  const folder = resolve(cwd, word);
  if (isPath(word)) return givenFolder(word, folder);
  const commit = await askGit(suite.root)('rev-parse', '--verify', '--quiet', '--end-of-options', `${word}^{commit}`);
  if (isFolder(folder) && hasSuite(folder)) {
    if (commit === null) return givenFolder(word, folder);
    throw new UserError(`"${word}" is a commit (${commit.slice(0, 10)}), and a folder with a suite`, {
      hint: `Write ${commit.slice(0, 10)} for the commit, ./${word} for the folder.`,
    });
  }
  // A commit that is none says what there is.
  return commitSide(word, commit ?? (await commitOf(word, suite.root, known)), { suite, env });
}

/** @returns can it be nothing but a folder? */
const isPath = (word: string): boolean => /^(\/|\.{1,2}(\/|$)|~\/)/.test(word);

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function givenFolder(word: string, folder: string): Promise<DuetSide> {
  if (!isFolder(folder)) throw new UserError(`${folder} is not a folder`);
  if (!hasSuite(folder)) throw new UserError(`${folder} is not a Benchfolio suite: it has no bench.toml`);
  const label = /^[./]+$/.test(word) ? basename(folder) : word; // a sentence cannot end in ".."
  return folderSide(folder, { label, word });
}

async function folderSide(root: string, names: { label: string; word: string | null }): Promise<DuetSide> {
  const { commit, dirty } = await gitState(root);
  const tree = commit === null || dirty ? null : await treeOf(commit, root);
  const top = (await askGit(root)('rev-parse', '--show-toplevel')) ?? root;
  return openSide({ ...names, root, top, url: null, commit, dirty, tree });
}

const addressSide = (word: string, root: string): DuetSide =>
  openSide({
    label: withoutUser(word),
    root,
    url: word.replace(/\/+$/, ''),
    commit: null,
    dirty: false,
    word: withoutUser(word),
  });

async function commitSide(
  word: string,
  commit: string,
  { suite, env }: Pick<Where, 'suite' | 'env'>,
): Promise<DuetSide> {
  const label = commit.startsWith(word) ? commit.slice(0, 10) : `${word} (${commit.slice(0, 10)})`;
  const place = { label, url: null, commit, dirty: false, word: commit.slice(0, 12) };
  const tree = await treeOf(commit, suite.root);
  const here = await gitState(suite.root);
  // The same files are there already, built and with the script's imports beside them.
  const ask = async (what: string) => String(await gitIn(suite.root)(['rev-parse', what])).trim();
  if (here.commit === commit && !here.dirty)
    return openSide({ ...place, root: suite.root, top: await ask('--show-toplevel'), tree });
  const { folder, notes } = await checkOut(commit, suite.root, env);
  const root = resolve(folder, await ask('--show-prefix'));
  return openSide({ ...place, root, top: folder, tree, notes: notes.map((note) => `${label}: ${note}`) });
}
