import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UserError } from '../../base/errors.js';
import { makeFolder } from '../../base/io/files.js';
import { askGit } from '../../base/tools/git.js';
import { treeOf } from '../duet/checkout.js';
import type { PairedCase } from '../duet/pair-cases.js';
import { prepareSide } from '../duet/prepare-side.js';
import { runsOf } from '../duet/side-runs.js';
import { type DuetSide, openSide } from '../duet/sides.js';
import { type SideName, sideNames } from '../duet/split.js';
import { cacheOf, treesIn } from '../duet/tree-cache.js';
import { writeTree } from '../duet/tree-files.js';
import type { Run } from '../run-context.js';
import { gitState } from '../session/git-state.js';

/**
 * The names of the folders. A path is in a program's environment and on its stack, and moves what lies behind it: that is enough to
 * make equal programs differ (Mytkowicz et al., *Producing wrong data without doing anything obviously wrong!*, ASPLOS 2009).
 */
const names: Record<SideName, string> = { base: 'b', head: `head-${'of-a-longer-name-'.repeat(3)}` };

export type Sides = Record<SideName, DuetSide>;

/** end: deletes both */
type TwoCheckouts = { sides: Sides; end: () => Promise<void> };

/** run: with folders of their own for what the two build */
type Prepared = { sides: Sides; pair: PairedCase; run: Run };

/** get: null: they cannot be made */
export type LaterCheckouts = { get: () => Promise<Prepared | null>; end: () => Promise<void> };

/**
 * Two checkouts of the commit, made and built when the first trial needs them.
 * @param root of the suite
 * @param given isAsked: that they cannot be made is an error, and not a note
 */
export function laterCheckouts(
  root: string,
  { isAsked, ...given }: { pairOf: (sides: Sides) => PairedCase; run: Run; env: NodeJS.ProcessEnv; isAsked: boolean },
): LaterCheckouts {
  const ends: (() => Promise<void>)[] = [];
  let made: Promise<Prepared | null> | undefined;
  const make = async () => {
    const { sides, end } = await checkOutTwice(root, given.env);
    ends.push(end);
    return prepareTwice(sides, given);
  };
  const leftOut = (problem: unknown) => {
    if (isAsked || !(problem instanceof UserError)) throw problem;
    given.run.progress.note(`aa-checkouts is left out: ${problem.message}`);
    return null;
  };
  return {
    get: () => (made ??= make().catch(leftOut)),
    end: async () => {
      for (const end of ends) await end();
    },
  };
}

/**
 * Checks the same commit out twice, in folders of unlike length outside the repository: what a real duet has, whose sides are built
 * apart, and an A/A trial of one folder has not.
 * @param root of the suite
 * @throws {UserError} there is no commit, or the files are not its own
 */
async function checkOutTwice(root: string, env: NodeJS.ProcessEnv): Promise<TwoCheckouts> {
  const { commit, dirty } = await gitState(root);
  if (commit === null || dirty) {
    const reason = dirty
      ? 'files of the working tree differ from its commit'
      : 'the suite is in no commit of a git repository';
    throw new UserError(`the same commit cannot be checked out twice: ${reason}`, { hint: 'Commit first.' });
  }
  const tree = await treeOf(commit, root);
  const prefix = (await askGit(root)('rev-parse', '--show-prefix')) ?? '';
  // With a dot: who is killed leaves it there, and a later duet deletes it.
  const scratch = await mkdtemp(join(makeFolder(treesIn(cacheOf(env))), '.calibrate-'));
  const sides = await Promise.all(
    sideNames.map(async (name) => {
      const draft = join(scratch, names[name]);
      await mkdir(draft);
      const { missing } = await writeTree(tree, { cwd: root, draft });
      const top = join(draft, 'files');
      const label = `the ${name === 'base' ? 'first' : 'second'} checkout`;
      const place = { label, root: resolve(top, prefix), top, url: null, commit, dirty: false, word: null };
      return [name, openSide({ ...place, tree, notes: missing })];
    }),
  );
  return { sides: Object.fromEntries(sides), end: () => rm(scratch, { recursive: true, force: true }) };
}

/**
 * Builds both checkouts.
 * @throws {Error} a side cannot be built
 */
async function prepareTwice(
  sides: Sides,
  { pairOf, run }: { pairOf: (sides: Sides) => PairedCase; run: Run },
): Promise<Prepared> {
  const pair = pairOf(sides);
  const own = {
    ...run,
    valuesOf: (...of: Parameters<Run['valuesOf']>) => {
      const values = run.valuesOf(...of);
      return { ...values, runDir: makeFolder(join(values.runDir, 'checkouts')) };
    },
  };
  await prepareSides(pair, sides, own);
  return { sides, pair, run: own };
}

/**
 * Builds both sides of a pair, as a duet does: what a build or a setup writes to the folder of its run is each side's own.
 * @throws {Error} a side cannot be built
 */
export async function prepareSides(pair: PairedCase, sides: Sides, run: Run) {
  const runs = runsOf(sides, run);
  for (const name of sideNames) {
    const failure = (await prepareSide([pair[name]], runs[name], name))(pair[name]);
    if (failure) throw failure;
  }
}
