import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { writeJson } from '../../base/io/files.js';
import { askGit } from '../../base/tools/git.js';
import type { World } from '../../base/world.js';
import { interimLooks } from '../../records/interim-looks.js';
import { printReport } from '../../records/records.js';
import { settingsOf } from '../../suite/cases/duet-settings.js';
import type { Case } from '../../suite/cases/expand.js';
import { changedSystems, memoryFor } from '../../suite/check/check.js';
import { defaultSystems, loadSuite, type Suite, systemNames } from '../../suite/suite.js';
import type { Player } from '../session/player.js';
import { newSeed, randomOf } from '../session/random-order.js';
import { commandWith } from '../session/repeat-command.js';
import { type CaseSelection, planRun, type RunPlan } from '../session/select-cases.js';
import { deleteScratch, engineFor } from '../session/session.js';
import { withSession } from '../session/with-session.js';
import { judgeDuet } from './judge-duet.js';
import { keptBase, keptWord } from './kept-base.js';
import { measurePairs } from './measure-pairs.js';
import { pairCases, withoutAlike } from './pair-cases.js';
import { compareSides } from './ruler/compare-sides.js';
import { withChangesOf } from './ruler/ruler.js';
import { changedSources, filesOfSide } from './side-files.js';
import { runsOf } from './side-runs.js';
import { type DuetSide, findSide, judgingSuite } from './sides.js';

type DuetOptions = CaseSelection & {
  base: string;
  head?: string;
  blocks?: number;
  seed?: number;
  player?: Player;
  confirm?: boolean;
  changed?: boolean;
  json?: boolean;
};

/**
 * Measures base and head at the same time, judges, and prints the outcome.
 * @param world progress goes to its stderr, the outcome to its stdout
 * @returns the exit code: that of comparison.json, or 130 when it was interrupted
 * @throws {UserError} nothing was measured
 */
export async function runDuet(given: DuetOptions, world: World): Promise<number> {
  const here = loadSuite(world.cwd);
  const where = { suite: here, cwd: world.cwd, env: world.env };
  const head = await findSide(given.head, { ...where, known: systemNames(here) });
  const options = { ...given, base: await baseOf(given.base, head, here) };
  const base = await findSide(options.base, where);
  const suite = suiteOf(head, here);
  const rules = judgingSuite(base, suite);
  // How long a duet is, is base's to say too: a shorter one finds less.
  const { timing, helped, budget_s, ...settings } = settingsOf(rules.bench);
  const { blocks = settings.blocks, seed = newSeed() } = options;
  const duetOptions = { ...options, blocks, seed };
  const measured = { ...duetOptions, ...asBaseSays(options, base, suite) };
  const plan = await planDuet(suite, measured, { here, head }, world);
  // Its files are those of the suite that one stands in: head's folder may be a cache.
  return withSession(plan, { ...measured, place: here }, world, async (run, cases) => {
    refusePods(cases);
    run.seed = seed;
    const shared = await compareSides(base, head, { ...duetOptions, systems: systemsOf(plan) }, here, run.k6);
    const { lanes } = shared;
    const paired = pairCases(cases, { base, head, block: timing, lanes, set: duetOptions.set });
    const { pairs, alike } = withoutAlike(paired, shared.rankOf);
    run.engine ??= await engineFor(
      pairs.map((pair) => pair.base),
      world.env,
    ); // it may be base alone that has containers
    const rule = { ...shared, changes: withChangesOf(alike, shared.changes, shared.accept) };
    for (const { benchCase, as } of alike) {
      const name = `${benchCase.system}/${benchCase.environment}/${benchCase.name}`;
      run.progress.note(`${name}: in a duet the same as ${as.name}${lanes ? ', under whose load it is measured' : ''}`);
    }
    const command = commandOf(duetOptions, base, head);
    for (const note of rule.notes) run.progress.note(note);
    const systems = systemsOf(plan);
    const [files, sources] = [
      { base: await filesOfSide(base, here, world.env), head: await filesOfSide(head, here, world.env) },
      await changedSources(base, head, { suite, here, systems }),
    ];
    const duet = {
      base,
      head,
      cases: pairs.length,
      blocks,
      interimLooks: interimLooks(blocks),
      budget_s,
      seed,
      random: randomOf(seed),
      timing,
      helped,
      command,
      suite,
      rule,
      files,
      sources,
      runs: runsOf({ base, head }, run),
    };
    const outcomes = await measurePairs(pairs, duet, run);
    deleteScratch(run, outcomes);
    const outputs = { folder: run.folder, run: run.id, root: here.root };
    const comparison = await judgeDuet(outcomes, duet, outputs);
    await writeJson(join(run.folder, 'comparison.json'), comparison);
    const format = duetOptions.json ? 'json' : 'text';
    await printReport({ comparison, format, reports: rule.reports }, world);
    return comparison.exit;
  });
}

/** @returns the same, or the commit that "kept" stands for */
async function baseOf(word: string, head: DuetSide, here: Suite): Promise<string> {
  const isOther =
    word !== keptWord || (await askGit(here.root)('rev-parse', '--verify', '--end-of-options', word)) !== null;
  return isOther ? word : keptBase(here, head);
}

/**
 * @returns whose cases are measured
 * @throws {UserError} head has none
 */
function suiteOf({ url, suite, problem, label }: DuetSide, here: Suite): Suite {
  if (url !== null) return here;
  if (suite !== null) return suite;
  throw new UserError(`the suite of ${label} cannot be read: ${problem?.message}`, {
    hint: problem?.hint,
    cause: problem,
  });
}

/** Both sides get every iteration of one k6: what pods do on their own cannot be paired. */
function refusePods(cases: readonly Case[]) {
  const clustered = cases.find(({ generators }) => generators !== null);
  if (!clustered) return;
  throw new UserError(
    `a duet is measured from this machine, and pods make the load of environment "${clustered.environment}"`,
    {
      hint: 'Choose another --env, or write generators = { kubernetes = false } into it.',
    },
  );
}

const systemsOf = ({ toRun, notRun }: RunPlan) => [...new Set([...toRun, ...notRun].map(({ system }) => system))];

/** The command that does the same again, elsewhere and later. */
function commandOf({ base: from, head: to, systems = [], ...rest }: DuetOptions, base: DuetSide, head: DuetSide) {
  const words = [base.word ?? from, ...(head.word === null ? [] : [head.word])];
  return commandWith(['duet', ...words, ...systems], rest);
}

/**
 * What to measure. A change that concerns no system is posted as a comparison of no case: what was posted of it before is no
 * longer so.
 * @param where here: where git is asked, for head's own folder may be a cache
 */
async function planDuet(
  suite: Suite,
  { changed = false, base, ...choice }: DuetOptions,
  { here, head }: { here: Suite; head: DuetSide },
  world: World,
): Promise<RunPlan> {
  if (!changed) return planRun(suite, choice, world);
  const named = choice.systems?.length ? choice.systems : systemNames(suite);
  const to = head.root === here.root ? null : head.commit;
  const systems = await changedSystems(suite, named, base, { repository: here.root, head: to });
  if (systems.length) return planRun(suite, { ...choice, systems }, world);
  return { suite, memory_bytes: memoryFor(suite.bench), toRun: [], notRun: [] };
}

/**
 * What is measured, and by which player, where nothing was asked for, is base's to say too: at the least what it measures.
 * @param suite head's
 * @returns systems: none: those that changed
 */
export function asBaseSays(options: DuetOptions, base: DuetSide, suite: Suite): { systems: string[]; player: Player } {
  const player = options.player ?? judgingSuite(base, suite).bench.run?.player ?? 'native';
  const known = systemNames(suite); // cases that head does not have are named as gone
  return { systems: systemsToMeasure(options, base, suite).filter((name) => known.includes(name)), player };
}

/**
 * @param suite head's
 * @returns head may not have them all
 */
function systemsToMeasure({ systems = [], changed = false }: DuetOptions, base: DuetSide, suite: Suite): string[] {
  if (changed || systems.length > 0) return systems;
  const own = base.suite === null ? [] : (defaultsOf(base.suite) ?? []);
  return [...new Set([...own, ...(defaultsOf(suite) ?? (own.length ? [] : defaultSystems(suite)))])];
}

/** @returns null: it does not say */
function defaultsOf(suite: Suite): string[] | null {
  try {
    return defaultSystems(suite);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return null;
  }
}
