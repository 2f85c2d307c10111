import { existsSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { UserError } from '../../errors.js';
import { gitState } from '../../session/git-state.js';
import { gitIn, withoutUser } from '../../tools/git.js';
import { checkOut, commitOf } from './checkout.js';

/**
 * One side of a duet: a suite's folder, or an address where the system runs already.
 * @typedef {{ label: string, root: string, url: string | null, commit: string | null, dirty: boolean, word: string | null }} DuetSide
 *   label: what people call it; root: the suite's; url: null unless it is one; word: what means the same elsewhere and
 *   later: a commit by its number; null: the working tree
 */

/**
 * Finds what a word names: an address, a folder, or a commit.
 * @param {string | undefined} word undefined: the working tree
 * @param {{ suite: { root: string }, cwd: string, env: NodeJS.ProcessEnv, known?: string[] }} where known: names that are
 *   taken for something else; the word may be one of them, misspelt
 * @returns {Promise<DuetSide>}
 * @throws {UserError} it names nothing
 */
export async function findSide(word, { suite, cwd, env, known }) {
  if (word === undefined)
    return { label: 'the working tree', root: suite.root, url: null, word: null, ...(await gitState(suite.root)) };
  if (/^https?:\/\//.test(word)) {
    return {
      label: withoutUser(word),
      root: suite.root,
      url: word.replace(/\/+$/, ''),
      commit: null,
      dirty: false,
      word: withoutUser(word),
    };
  }
  const folder = resolve(cwd, word);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() && looksLikePath(word, folder)) {
    const root = suiteIn(folder);
    const label = /^[./]+$/.test(word) ? basename(folder) : word; // a sentence cannot end in ".."
    return { label, root, url: null, word, ...(await gitState(root)) };
  }
  const here = await gitState(suite.root);
  const commit = await commitOf(word, suite.root, known);
  const label = commit.startsWith(word) ? commit.slice(0, 10) : `${word} (${commit.slice(0, 10)})`;
  // The same files are there already, built and with the script's imports beside them.
  if (here.commit === commit && !here.dirty)
    return { label, root: suite.root, url: null, commit, dirty: false, word: commit.slice(0, 12) };
  const [tree, top] = [await checkOut(commit, suite.root, env), await topOf(suite.root)];
  return {
    label,
    root: join(tree, relative(top, suite.root)),
    url: null,
    commit,
    dirty: false,
    word: commit.slice(0, 12),
  };
}

/** A branch may have the name of a folder; who means the folder can write ./name. @param {string} word @param {string} folder */
const looksLikePath = (word, folder) =>
  /^[./~]|\/$/.test(word) || word.includes('/..') || existsSync(join(folder, 'bench.toml'));

/** @param {string} folder @returns {string} */
function suiteIn(folder) {
  if (existsSync(join(folder, 'bench.toml'))) return folder;
  throw new UserError(`${folder} is not a Benchfolio suite: it has no bench.toml`);
}

/** @param {string} folder */
const topOf = async (folder) => String(await gitIn(folder)(['rev-parse', '--show-toplevel'])).trim();
