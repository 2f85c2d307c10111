import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn } from '../../tools/git.js';

/** @import { Stats } from 'node:fs' */
/** @import { GitError } from '../../tools/git.js' */

/**
 * The files of a commit as a checkout of that commit writes them: by its own .gitattributes, whatever another commit, the
 * repository's and the user's configuration say. So git gets a folder of its own for its settings, which is empty, and the
 * repository's objects.
 *
 * @typedef {{ missing: string[] }} TreeFiles missing: sentences on what a checkout by the user might have and this has not
 */

/**
 * Writes the files of a tree.
 * @param {string} tree git's hash of it
 * @param {{ cwd: string, draft: string }} where cwd: within the repository; draft: an empty folder, whose `files/` gets them
 * @returns {Promise<TreeFiles>}
 * @throws {GitError} an object is missing, or damaged
 */
export async function writeTree(tree, { cwd, draft }) {
  const folder = join(draft, 'files');
  await mkdir(folder);
  const git = await plainGit(cwd, draft, folder);
  await fetchMissing(tree, cwd);
  await git(['read-tree', '--reset', '-u', tree]);
  const entries = entriesOf(String(await git(['ls-files', '--stage', '-z'])));
  const files = entries.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path);
  const modules = entries.filter(({ mode }) => mode === '160000').map(({ path }) => path);
  return { missing: [...missingModules(modules), ...(await applyFilters(files, { git, cwd, folder }))] };
}

/**
 * git without any configuration but its own defaults, on the repository's objects.
 * @param {string} cwd
 * @param {string} draft
 * @param {string} folder its work tree
 */
async function plainGit(cwd, draft, folder) {
  const ask = async (/** @type {string[]} */ ...args) => String(await gitIn(cwd)(args)).trimEnd();
  const objects = await ask('rev-parse', '--path-format=absolute', '--git-path', 'objects');
  const format = await ask('rev-parse', '--show-object-format');
  const own = join(draft, 'git');
  const env = { ...withoutConfig, HOME: draft, XDG_CONFIG_HOME: draft };
  await gitIn(draft, env)(['init', '--quiet', '--template=', `--object-format=${format}`, own]);
  return gitIn(folder, {
    ...env,
    GIT_DIR: join(own, '.git'),
    GIT_WORK_TREE: folder,
    GIT_INDEX_FILE: join(draft, 'index'),
    GIT_OBJECT_DIRECTORY: objects,
  });
}

/** Nothing that a user, a machine or a process has configured. @type {NodeJS.ProcessEnv} */
const withoutConfig = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_PARAMETERS: undefined,
  GIT_CONFIG_COUNT: undefined,
  GIT_CONFIG: undefined,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_DIR: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined,
};

/**
 * A partial clone has not all objects: its own git fetches what is asked for.
 * @param {string} tree
 * @param {string} cwd
 */
async function fetchMissing(tree, cwd) {
  const git = gitIn(cwd);
  if (String(await git(['config', '--get-regexp', '^remote\\..*\\.promisor$']).catch(() => '')) === '') return;
  const listed = String(await git(['rev-list', '--objects', '--missing=print', tree]));
  const missing = listed.split('\n').flatMap((line) => (line.startsWith('?') ? [line.slice(1)] : []));
  if (missing.length > 0) await git(['cat-file', '--batch-check'], missing.join('\n'));
}

/** @param {string} text of `git ls-files --stage -z` */
const entriesOf = (text) =>
  text
    .split('\0')
    .filter(Boolean)
    .map((line) => ({ mode: line.slice(0, 6), path: line.slice(line.indexOf('\t') + 1) }));

/** @param {string[]} paths */
const missingModules = (paths) => (paths.length === 0 ? [] : [`Submodules are not in its checkout: ${listed(paths)}.`]);

/**
 * Files of Git LFS are what its store on this machine has. No other filter runs: it is a program of the user's configuration.
 * @param {string[]} files
 * @param {{ git: (args: string[], input?: string) => Promise<Buffer>, cwd: string, folder: string }} where
 * @returns {Promise<string[]>} sentences
 */
async function applyFilters(files, { git, cwd, folder }) {
  if (files.length === 0) return [];
  const attributes = String(await git(['check-attr', '--cached', '--stdin', '-z', 'filter'], files.join('\0')));
  const words = attributes.split('\0');
  /** @type {Map<string, string[]>} */
  const filtered = new Map();
  for (let i = 0; i + 2 < words.length; i += 3) {
    const [path, , filter] = words.slice(i, i + 3);
    if (!['unspecified', 'unset', 'set'].includes(filter))
      filtered.set(filter, [...(filtered.get(filter) ?? []), path]);
  }
  const sentences = [];
  for (const [filter, paths] of filtered) {
    if (filter !== 'lfs') {
      sentences.push(`The filter "${filter}" was not applied to ${listed(paths)}.`);
      continue;
    }
    const store = String(
      await gitIn(cwd)(['rev-parse', '--path-format=absolute', '--git-path', 'lfs/objects']),
    ).trimEnd();
    const left = [];
    for (const path of paths) if (!(await fillFromStore(join(folder, path), store))) left.push(path);
    if (left.length > 0) {
      sentences.push(
        `Git LFS has these files and this clone has not: ${listed(left)}. git lfs fetch --all brings them.`,
      );
    }
  }
  return sentences;
}

/** What stands in a file that Git LFS has; git-lfs' specification, version 1. */
const pointer =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-.*\n)*oid sha256:([0-9a-f]{64})\nsize (\d+)\n/;

/**
 * @param {string} file
 * @param {string} store
 * @returns {Promise<boolean>} false: it is a pointer to what is not there
 */
async function fillFromStore(file, store) {
  const { size } = await lstat(file);
  const [, oid] = (size < 1024 && pointer.exec(await readFile(file, 'utf8'))) || [];
  if (oid === undefined) return true; // the commit has the file itself
  const object = join(store, oid.slice(0, 2), oid.slice(2, 4), oid);
  if (!existsSync(object)) return false;
  if (
    createHash('sha256')
      .update(await readFile(object))
      .digest('hex') !== oid
  )
    return false;
  await copyFile(object, file);
  return true;
}

/** @param {string[]} paths */
const listed = (paths) =>
  paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ');

/**
 * Compares the files of a checkout that was used with those of a fresh one. What a build added is not compared.
 * @param {string} fresh
 * @param {string} used
 * @returns {Promise<string | null>} the first path that is not the same; null: all are
 */
export async function differingFile(fresh, used) {
  for (const entry of await readdir(fresh, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(fresh.length + 1);
    if (!(await isSame(join(fresh, path), join(used, path)))) return path;
  }
  return null;
}

/** @param {string} fresh @param {string} used */
async function isSame(fresh, used) {
  const [expected, found] = await Promise.all([lstat(fresh), lstat(used).catch(() => null)]);
  if (found === null || kindOf(expected) !== kindOf(found)) return false;
  if (expected.isSymbolicLink()) return (await readlink(fresh)) === (await readlink(used));
  if (!expected.isFile()) return true;
  if (expected.size !== found.size) return false;
  return (await readFile(fresh)).equals(await readFile(used));
}

/** A file that may be run is another kind than one that may not. @param {Stats} stats */
const kindOf = (stats) => `${stats.mode & 0o170000} ${stats.isFile() && (stats.mode & 0o100) !== 0}`;
