import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import type { Command } from 'commander';
import { exitCodes, UserError } from '../../base/errors.js';
import { counted, formatBytes } from '../../base/format.js';
import { bytesIn } from '../../base/io/folder-size.js';
import type { World } from '../../base/world.js';
import { cachedTrees, cacheOf, dropTrees } from '../../run/duet/tree-cache.js';
import { oldRuns } from '../../run/session/leftovers.js';
import { benchDir, loadSuite } from '../../suite/suite.js';

export function register(program: Command, world: World) {
  program
    .command('clean')
    .summary('delete cached files that nothing needs')
    .description(
      'delete cached files that nothing needs: the trees that duets checked out, of all repositories, and raw files of old runs here. What is in use, and the last 20 runs, stay',
    )
    .option('--dry-run', 'print what would be deleted, and delete nothing')
    .action(async (options) => {
      world.exitCode = await clean(options, world);
    });
}

/**
 * Deletes what can be made again, and prints each folder with its size.
 * @returns the exit code
 */
export async function clean({ dryRun = false }: { dryRun?: boolean }, { cwd, env, stdout }: World): Promise<number> {
  const cache = cacheOf(env);
  const trees = await cachedTrees(cache);
  const unused = trees.filter(({ inUse }) => !inUse);
  const runs = await Promise.all(
    oldRunsAround(cwd).map(async (folder) => ({
      folder: relative(cwd, folder),
      path: folder,
      bytes: await bytesIn(folder),
    })),
  );
  for (const { folder, bytes } of [...unused, ...runs]) stdout.write(`${folder}: ${formatBytes(bytes)}\n`);
  if (!dryRun) {
    await dropTrees(cache, unused);
    for (const { path } of runs) rmSync(path, { recursive: true, force: true });
  }
  const bytes = [...unused, ...runs].reduce((sum, { bytes }) => sum + bytes, 0);
  const what = `${counted(unused.length, 'tree')} and ${counted(runs.length, 'run')}, ${formatBytes(bytes)}`;
  const inUse = trees.length - unused.length;
  const stay = inUse ? `; ${counted(inUse, 'tree')} in use` : '';
  stdout.write(`${dryRun ? 'Would delete' : 'Deleted'} ${what}${stay}\n`);
  return exitCodes.pass;
}

/** @returns folders; none outside a suite */
function oldRunsAround(cwd: string): string[] {
  try {
    return oldRuns(benchDir(loadSuite(cwd)));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [];
  }
}
