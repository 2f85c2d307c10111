import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile, rm, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeFolder, writeJson } from '../../base/io/files.js';
import { bytesIn } from '../../base/io/folder-size.js';
import { isAlive, namesIn, readProcess } from '../../base/process/processes.js';

/**
 * The trees that duets checked out, of all repositories of a user: each may hold a build. What is beside them:
 * `trees-in-use/<tree>/<pid>-<start>` for each process that needs one, and `trees.json`, what was measured of them.
 * used_ms: last, in epoch milliseconds
 */
type CachedTree = { name: string; folder: string; used_ms: number; bytes: number; inUse: boolean };

type CacheLimit = { trees: number; bytes: number };

/** What is kept when a duet begins; the least recently used go first. */
export const cacheLimit: CacheLimit = { trees: 12, bytes: 8e9 };

/** @returns the cache's folder, absolute */
export const cacheOf = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'benchfolio');

export const treesIn = (cache: string): string => join(cache, 'trees');

const usersOf = (cache: string, tree: string) => join(cache, 'trees-in-use', tree);

/**
 * Keeps a tree from being deleted as long as this process lives.
 * @param tree its hash; there or not
 * @throws {UserError} code 4: no room, or not allowed
 */
export function holdTree(cache: string, tree: string) {
  const { pid } = process;
  const mark = join(makeFolder(usersOf(cache, tree)), `${pid}-${readProcess(pid)?.start ?? 0}`);
  writeFileSync(mark, '');
  process.on('exit', () => rmSync(mark, { force: true }));
}

/**
 * @param but a process that does not count
 * @returns whether a process that lives needs it
 */
function isInUse(cache: string, tree: string, but?: number): boolean {
  return namesIn(usersOf(cache, tree)).some((name) => {
    const [pid, start] = name.split('-').map(Number);
    return pid !== but && isAlive(pid, start);
  });
}

/**
 * Deletes a tree whose files are not its commit's any more, with what was built of them.
 * @param tree this process holds it
 * @returns false: another process uses it, so it stays
 */
export async function dropChanged(cache: string, tree: string): Promise<boolean> {
  if (isInUse(cache, tree, process.pid)) return false;
  const [folder, aside] = [join(treesIn(cache), tree), join(treesIn(cache), `.old-${tree}-${process.pid}`)];
  renameSync(folder, aside);
  const isFree = !isInUse(cache, tree, process.pid);
  if (!isFree && !existsSync(folder)) renameSync(aside, folder);
  await rm(aside, { recursive: true, force: true });
  return isFree;
}

/**
 * Lists the trees, with what each takes of the disk. A tree that was not used since is not measured again.
 * @returns the last used first
 */
export async function cachedTrees(cache: string): Promise<CachedTree[]> {
  const file = join(cache, 'trees.json');
  const known: Record<string, { used_ms: number; bytes: number }> = await readFile(file, 'utf8').then(
    JSON.parse,
    () => ({}),
  );
  const trees = [];
  for (const name of namesIn(treesIn(cache)).filter((entry) => !entry.startsWith('.'))) {
    const folder = join(treesIn(cache), name);
    const used_ms = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
    if (used_ms === undefined) continue; // another process deleted it
    const inUse = isInUse(cache, name);
    const bytes = !inUse && known[name]?.used_ms === used_ms ? known[name].bytes : await bytesIn(folder);
    trees.push({ name, folder, used_ms, bytes, inUse });
  }
  const measured = Object.fromEntries(
    trees.filter(({ inUse }) => !inUse).map(({ name, used_ms, bytes }) => [name, { used_ms, bytes }]),
  );
  if (JSON.stringify(measured) !== JSON.stringify(known)) await writeJson(file, measured).catch(() => {});
  return trees.sort((a, b) => b.used_ms - a.used_ms);
}

/**
 * Says which trees are to go so that the rest fits; none that is in use.
 * @param trees the last used first
 */
export function treesToDrop(trees: readonly CachedTree[], limit: CacheLimit = cacheLimit): CachedTree[] {
  let [count, bytes] = [0, 0];
  return trees.filter((tree) => {
    count += 1;
    bytes += tree.bytes;
    if (tree.inUse || (count <= limit.trees && bytes <= limit.bytes)) return false;
    count -= 1;
    bytes -= tree.bytes;
    return true;
  });
}

/** Deletes trees, but for those that a process has begun to use since they were listed. */
export async function dropTrees(cache: string, trees: readonly CachedTree[]) {
  for (const { name, folder } of trees) {
    if (isInUse(cache, name)) continue;
    // First out of the way, then looked again: who holds it from now on finds none, and checks it out.
    const aside = join(treesIn(cache), `.old-${name}-${process.pid}`);
    renameSync(folder, aside);
    if (isInUse(cache, name) && !existsSync(folder)) renameSync(aside, folder);
    else await rm(aside, { recursive: true, force: true });
    if (!isInUse(cache, name)) await rm(usersOf(cache, name), { recursive: true, force: true });
  }
  for (const left of leftBehind(cache)) await rm(left, { recursive: true, force: true });
}

/** A day: no checkout takes so long. */
const abandoned_ms = 86_400_000;

/** @returns drafts of processes that were killed */
function leftBehind(cache: string): string[] {
  if (!existsSync(treesIn(cache))) return [];
  return readdirSync(treesIn(cache))
    .filter((name) => name.startsWith('.'))
    .map((name) => join(treesIn(cache), name))
    .filter((path) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > abandoned_ms);
}

/** @param folder of a tree: it is used now */
export const touchTree = (folder: string) => utimes(folder, new Date(), new Date());
