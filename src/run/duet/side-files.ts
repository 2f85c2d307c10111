import { relative } from 'node:path';
import { UserError } from '../../base/errors.js';
import { GitError, gitIn } from '../../base/tools/git.js';
import { changedSystems } from '../../suite/check/check.js';
import type { Suite } from '../../suite/suite.js';
import { isWithin } from './foreign-files.js';
import type { DuetSide } from './sides.js';

/**
 * What is known of a side's files. top: the folder of its repository; isTracked: has its commit this file? Where that is unknown
 * each file in it counts as one; path: PATH
 */
export type SideFiles = { top: string; isTracked: (file: string) => boolean; path: string };

/** @param here the suite that one stands in, whose repository has the commits */
export async function filesOfSide(side: DuetSide, here: { root: string }, env: NodeJS.ProcessEnv): Promise<SideFiles> {
  const { top, tree } = side;
  const list =
    tree === null
      ? gitIn(top)(['ls-files', '-z'])
      : gitIn(here.root)(['ls-tree', '-r', '-z', '--name-only', '--full-tree', tree]);
  const names = await list.then((text) => new Set(String(text).split('\0')), whenRefused);
  return {
    top,
    isTracked: (file) => isWithin(file, top) && (names === null || names.has(relative(top, file))),
    path: env.PATH ?? '',
  };
}

function whenRefused(error: unknown): null {
  if (error instanceof GitError || error instanceof UserError) return null;
  throw error;
}

/**
 * Files that programs are built of: sources, and those that name the tools of the build. Pages and data may be read when they
 * run.
 */
const source =
  /\.([cm]?[jt]sx?|vue|svelte|go|rs|c|cc|cpp|cxx|h|hh|hpp|java|kt|kts|scala|groovy|cs|fs|vb|swift|zig|hs|ml|nim|d|ex|exs|erl|py|rb|php|proto|gradle)$|(^|\/)(go\.(mod|sum)|Cargo\.(toml|lock)|pom\.xml|package(-lock)?\.json|yarn\.lock|pnpm-lock\.yaml|CMakeLists\.txt|Makefile)$/;

/** What is none of the product's, though it is code. */
const noProduct =
  /^\.(github|gitlab|circleci)\/|(^|\/)(tests?|__tests__|docs?|examples?)\/|[._-](test|spec)s?\.\w+$|_test\.go$/i;

/**
 * Finds the systems whose sources differ between two sides, so that their programs must differ, too.
 * @param given suite: head's
 * @returns by system: a file that differs
 */
export async function changedSources(
  base: DuetSide,
  head: DuetSide,
  { suite, here, systems }: { suite: Suite; here: Suite; systems: readonly string[] },
): Promise<Map<string, string>> {
  const differing = await differingFiles(base, head, here);
  const prefix = String(await gitIn(here.root)(['rev-parse', '--show-prefix']).catch(() => '')).trim();
  const ofBenchmark = (file: string) =>
    file === `${prefix}bench.toml` || new RegExp(`^${prefix}(reports/|specs/[^/]+/spec\\.toml$)`).test(file);
  const sources = differing.filter((file) => source.test(file) && !noProduct.test(file) && !ofBenchmark(file));
  if (sources.length === 0) return new Map();
  const touched = await touchedSystems(base, head, { suite, here, systems });
  return new Map(touched.map((system) => [system, sources[0]]));
}

/** @returns none: it is unknown */
async function differingFiles(base: DuetSide, head: DuetSide, here: Suite): Promise<string[]> {
  const namesOf = (text: Buffer) => String(text).split('\0').filter(Boolean);
  const git = gitIn(here.root);
  try {
    if (base.tree !== null && head.tree !== null)
      return namesOf(await git(['diff-tree', '-r', '-z', '--name-only', '--no-renames', base.tree, head.tree]));
    if (base.tree === null || head.root !== here.root) return [];
    const [changed, added] = await Promise.all([
      git(['diff', '-z', '--name-only', '--no-renames', '--no-relative', base.tree]),
      git(['ls-files', '-z', '--others', '--exclude-standard', '--full-name']),
    ]);
    return [...namesOf(changed), ...namesOf(added)];
  } catch (error) {
    whenRefused(error);
    return [];
  }
}

/** @returns all where it is unknown */
async function touchedSystems(
  { commit }: DuetSide,
  head: DuetSide,
  { suite, here, systems }: { suite: Suite; here: Suite; systems: readonly string[] },
): Promise<string[]> {
  if (commit === null) return [...systems];
  try {
    return await changedSystems(suite, systems, commit, {
      repository: here.root,
      head: head.root === here.root && head.dirty ? null : head.commit,
    });
  } catch (error) {
    whenRefused(error);
    return [...systems];
  }
}
