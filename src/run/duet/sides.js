import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { UserError } from '../../base/errors.js';
import { askGit, gitIn, withoutUser } from '../../base/tools/git.js';
import { hasSuite, suiteAt } from '../../suite/suite.js';
import { gitState } from '../session/git-state.js';
import { checkOut, commitOf, treeOf } from './checkout.js';

/** @import { Suite } from '../../suite/suite.js' */

/**
 * Where a side of a duet is: a suite's folder, or an address where the system runs already.
 * @typedef {object} SidePlace
 * @property {string} label what people call it
 * @property {string} root the folder of its suite
 * @property {string} [top] the folder of its repository; without one that of the suite
 * @property {string | null} url null unless it is one
 * @property {string | null} commit
 * @property {boolean} dirty files differ from the commit
 * @property {string | null} word what means the same elsewhere and later: a commit by its number; null: the working tree
 * @property {string | null} [tree] git's hash of all files of the repository; null: they are no commit's
 * @property {readonly string[]} [notes] what is not there of a commit's files
 */

/**
 * A side, opened once: what it measures and how it judges is read from here and nowhere else.
 * @typedef {Required<SidePlace> & { suite: Suite | null, problem: UserError | null }} DuetSide
 *   suite: null: it has none that can be read, or is an address; problem: why it cannot be read
 */

/**
 * Opens the suite of a side, at its very place.
 * @param {SidePlace} place
 * @returns {DuetSide}
 */
export function openSide(place) {
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
 * @param {DuetSide} base
 * @param {Suite} ofHead
 * @returns {Suite}
 */
export const judgingSuite = (base, ofHead) => base.suite ?? ofHead;

/** @param {DuetSide} base @returns {boolean} is it a commit or a folder without a suite? */
export const hasNoBenchmark = ({ url, root }) => url === null && !hasSuite(root);

/**
 * @typedef {{ suite: { root: string }, cwd: string, env: NodeJS.ProcessEnv, known?: string[] }} Where known: names that are
 *   taken for something else; the word may be one of them, misspelt
 */

/**
 * Finds what a word names: an address, a commit, or a folder. What git resolves is a commit; a folder begins with "./", "../"
 * or "/", where a commit has its name. A pull request can add a folder of any name.
 * @param {string | undefined} word undefined: the working tree
 * @param {Where} where
 * @returns {Promise<DuetSide>}
 * @throws {UserError} it names nothing, or a commit and a suite's folder
 */
export async function findSide(word, { suite, cwd, env, known }) {
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

/** @param {string} word @returns {boolean} can it be nothing but a folder? */
const isPath = (word) => /^(\/|\.{1,2}(\/|$)|~\/)/.test(word);

/** @param {string} path */
const isFolder = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * @param {string} word
 * @param {string} folder
 * @returns {Promise<DuetSide>}
 */
function givenFolder(word, folder) {
  if (!isFolder(folder)) throw new UserError(`${folder} is not a folder`);
  if (!hasSuite(folder)) throw new UserError(`${folder} is not a Benchfolio suite: it has no bench.toml`);
  const label = /^[./]+$/.test(word) ? basename(folder) : word; // a sentence cannot end in ".."
  return folderSide(folder, { label, word });
}

/**
 * @param {string} root
 * @param {{ label: string, word: string | null }} names
 * @returns {Promise<DuetSide>}
 */
async function folderSide(root, names) {
  const { commit, dirty } = await gitState(root);
  const tree = commit === null || dirty ? null : await treeOf(commit, root);
  const top = (await askGit(root)('rev-parse', '--show-toplevel')) ?? root;
  return openSide({ ...names, root, top, url: null, commit, dirty, tree });
}

/** @param {string} word @param {string} root @returns {DuetSide} */
const addressSide = (word, root) =>
  openSide({
    label: withoutUser(word),
    root,
    url: word.replace(/\/+$/, ''),
    commit: null,
    dirty: false,
    word: withoutUser(word),
  });

/**
 * @param {string} word
 * @param {string} commit
 * @param {Pick<Where, 'suite' | 'env'>} where
 * @returns {Promise<DuetSide>}
 */
async function commitSide(word, commit, { suite, env }) {
  const label = commit.startsWith(word) ? commit.slice(0, 10) : `${word} (${commit.slice(0, 10)})`;
  const place = { label, url: null, commit, dirty: false, word: commit.slice(0, 12) };
  const tree = await treeOf(commit, suite.root);
  const here = await gitState(suite.root);
  // The same files are there already, built and with the script's imports beside them.
  const ask = async (/** @type {string} */ what) => String(await gitIn(suite.root)(['rev-parse', what])).trim();
  if (here.commit === commit && !here.dirty)
    return openSide({ ...place, root: suite.root, top: await ask('--show-toplevel'), tree });
  const { folder, notes } = await checkOut(commit, suite.root, env);
  const root = resolve(folder, await ask('--show-prefix'));
  return openSide({ ...place, root, top: folder, tree, notes: notes.map((note) => `${label}: ${note}`) });
}
