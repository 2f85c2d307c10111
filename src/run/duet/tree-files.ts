import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gitIn } from '../../base/tools/git.js';

/**
 * The files of a commit as a checkout of that commit writes them: by its own .gitattributes, whatever another commit, the
 * repository's and the user's configuration say. So git gets a folder of its own for its settings, which is empty, and the
 * repository's objects. missing: sentences on what a checkout by the user might have and this has not
 */
export type TreeFiles = { missing: string[] };

/**
 * Writes the files of a tree.
 * @param tree git's hash of it
 * @param where cwd: within the repository; draft: an empty folder, whose `files/` gets them
 * @throws {GitError} an object is missing, or damaged
 */
export async function writeTree(tree: string, { cwd, draft }: { cwd: string; draft: string }): Promise<TreeFiles> {
  const { git, folder } = await openDraft(tree, { cwd, draft });
  const entries = await entriesOf(tree, git);
  await git(['checkout-index', '--all', '--quiet']);
  const { filters } = await attributesOf(entries, git);
  return { missing: await applyFilters(entries, filters, { cwd, folder }) };
}

/**
 * Compares the files of a checkout that was used with those of its tree: by git's hash; where that differs, or a checkout
 * writes the file in another way than git has it, with that of a fresh one. Files that a build added are not compared.
 * @param tree git's hash
 * @param where as in writeTree
 * @returns changed: the first path that is not the same
 */
export async function compareTree(
  used: string,
  tree: string,
  { cwd, draft }: { cwd: string; draft: string },
): Promise<TreeFiles & { changed: string | null }> {
  const { git, folder } = await openDraft(tree, { cwd, draft });
  const entries = await entriesOf(tree, git);
  const { filters, changed } = await attributesOf(entries, git);
  const isAway = linksIn(used);
  const doubtful = entries.filter((entry) => changed.has(entry.path) || isAway(entry.path) || !isAsInTree(entry, used));
  const paths = doubtful.filter(({ mode }) => mode !== module).map(({ path }) => path);
  if (paths.length > 0) await git(['checkout-index', '--stdin', '-z', '--quiet'], paths.join('\0'));
  const missing = await applyFilters(entries, filters, { cwd, folder });
  for (const path of paths) {
    const same = !isAway(path) && (await isSame(join(folder, path), join(used, path)));
    if (!same) return { missing, changed: path };
  }
  return { missing, changed: null };
}

/** The mode of a submodule in a tree. */
const module = '160000';

/** @returns is the file there what git has, to the byte? */
function isAsInTree({ mode, hash, path }: TreeEntry, used: string): boolean {
  if (mode === module) return true;
  const file = join(used, path);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return false;
  if (mode === '120000') return stats.isSymbolicLink() && blobHash(Buffer.from(readlinkSync(file)), hash) === hash;
  if (!stats.isFile() || ((stats.mode & 0o100) !== 0) !== (mode === '100755')) return false;
  return blobHash(readFileSync(file), hash) === hash;
}

/** @returns is a folder on the way to it none, or a link to elsewhere? */
function linksIn(used: string): (path: string) => boolean {
  const known: Map<string, boolean> = new Map([['.', false]]);
  return isAway;

  function isAway(path: string): boolean {
    const above = dirname(path);
    const before = known.get(above);
    if (before !== undefined) return before;
    const away = isAway(above) || !lstatSync(join(used, above), { throwIfNoEntry: false })?.isDirectory();
    known.set(above, away);
    return away;
  }
}

/**
 * As git does it (git hash-object).
 * @param like a hash of the same format
 */
const blobHash = (content: Buffer, like: string) =>
  createHash(like.length === 40 ? 'sha1' : 'sha256')
    .update(`blob ${content.length}\0`)
    .update(content)
    .digest('hex');

/** A folder for files of a tree, and git for it, which has the tree in its index. */
async function openDraft(tree: string, { cwd, draft }: { cwd: string; draft: string }) {
  const folder = join(draft, 'files');
  await mkdir(folder);
  const git = await plainGit(cwd, draft, folder);
  await fetchMissing(tree, cwd);
  await git(['read-tree', '--reset', tree]);
  return { git, folder };
}

/**
 * git without any configuration but its own defaults, on the repository's objects.
 * @param folder its work tree
 */
async function plainGit(cwd: string, draft: string, folder: string) {
  const ask = async (...args: string[]) => String(await gitIn(cwd)(args)).trimEnd();
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

/** Nothing that a user, a machine or a process has configured. */
const withoutConfig: NodeJS.ProcessEnv = {
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

/** A partial clone has not all objects: its own git fetches what is asked for. */
async function fetchMissing(tree: string, cwd: string) {
  const git = gitIn(cwd);
  if (String(await git(['config', '--get-regexp', '^remote\\..*\\.promisor$']).catch(() => '')) === '') return;
  const listed = String(await git(['rev-list', '--objects', '--missing=print', tree]));
  const missing = listed.split('\n').flatMap((line) => (line.startsWith('?') ? [line.slice(1)] : []));
  if (missing.length > 0) await git(['cat-file', '--batch-check'], missing.join('\n'));
}

type TreeEntry = { mode: string; hash: string; path: string };

type Git = (args: string[], input?: string) => Promise<Buffer>;

const entriesOf = async (tree: string, git: Git): Promise<TreeEntry[]> =>
  String(await git(['ls-tree', '-r', '-z', '--full-tree', tree]))
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      const [mode, , hash] = line.slice(0, line.indexOf('\t')).split(' ');
      return { mode, hash, path: line.slice(line.indexOf('\t') + 1) };
    });

/**
 * Which files a checkout does not write as git has them, by their commit's attributes (gitattributes(5)). Without
 * configuration, and where lines end in LF, `text` changes none.
 * @returns filters: paths by the name of their filter; changed: paths that are written in another way
 */
async function attributesOf(
  entries: readonly TreeEntry[],
  git: Git,
): Promise<{ filters: Map<string, string[]>; changed: Set<string> }> {
  const filters: Map<string, string[]> = new Map();
  const changed: Set<string> = new Set();
  const files = entries.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path);
  if (files.length === 0) return { filters, changed };
  const names = ['filter', 'eol', 'ident', 'working-tree-encoding'];
  const listed = String(await git(['check-attr', '--cached', '--stdin', '-z', ...names], files.join('\0')));
  const words = listed.split('\0');
  for (let i = 0; i + 2 < words.length; i += 3) {
    const [path, name, value] = words.slice(i, i + 3);
    if (['unspecified', 'unset'].includes(value) || (name === 'eol' && value !== 'crlf')) continue;
    if (name === 'filter' && value !== 'set') filters.set(value, [...(filters.get(value) ?? []), path]);
    if (name !== 'filter' || value === 'lfs') changed.add(path);
  }
  return { filters, changed };
}

/**
 * Files of Git LFS are what its store on this machine has. No other filter runs: it is a program of the user's configuration.
 * @returns sentences on what a checkout by the user might have
 */
async function applyFilters(
  entries: readonly TreeEntry[],
  filters: ReadonlyMap<string, string[]>,
  { cwd, folder }: { cwd: string; folder: string },
): Promise<string[]> {
  const modules = entries.filter(({ mode }) => mode === module).map(({ path }) => path);
  const sentences = modules.length === 0 ? [] : [`Submodules are not in its checkout: ${listed(modules)}.`];
  for (const [filter, paths] of filters) {
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

/** @returns false: it is a pointer to what is not there */
async function fillFromStore(file: string, store: string): Promise<boolean> {
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

const listed = (paths: string[]) =>
  paths.length > 3 ? `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more` : paths.join(', ');

async function isSame(fresh: string, used: string) {
  const [expected, found] = await Promise.all([lstat(fresh), lstat(used).catch(() => null)]);
  if (found === null || kindOf(expected) !== kindOf(found)) return false;
  if (expected.isSymbolicLink()) return (await readlink(fresh)) === (await readlink(used));
  if (!expected.isFile()) return true;
  if (expected.size !== found.size) return false;
  return (await readFile(fresh)).equals(await readFile(used));
}

/** A file that may be run is another kind than one that may not. */
const kindOf = (stats: Stats) => `${stats.mode & 0o170000} ${stats.isFile() && (stats.mode & 0o100) !== 0}`;
