import { exitCodes } from '../../base/errors.js';
import type { World } from '../../base/world.js';
import { printCalibration, sameDuet } from '../../records/calibration/calibration.js';
import { keepTrial, readTrials } from '../../records/calibration/trials.js';
import { settingsOf } from '../../suite/cases/duet-settings.js';
import { loadSuite, type Suite } from '../../suite/suite.js';
import { helpersOf } from '../duet/block-helpers.js';
import { type PairedCase, pairCases } from '../duet/pair-cases.js';
import { plannedPair } from '../duet/planned-blocks.js';
import { ownRule } from '../duet/ruler/compare-sides.js';
import { findSide } from '../duet/sides.js';
import type { Run } from '../run-context.js';
import { definitionHash } from '../session/definition-hash.js';
import { commandWith } from '../session/repeat-command.js';
import { deleteScratch } from '../session/session.js';
import { withSession } from '../session/with-session.js';
import { chooseCase } from './calibrated-case.js';
import { type Condition, nextCondition } from './conditions.js';
import { lanesOf, measureTrial } from './measure-trial.js';
import { type LaterCheckouts, laterCheckouts, prepareSides, type Sides } from './two-checkouts.js';

/** budget_s and trials: how long the session lasts at most, whichever comes first; only: one condition */
type CalibrateOptions = { system?: string; budget_s?: number; trials?: number; only?: string; confirm?: boolean };

/**
 * Runs one calibration session: measures duets of which the truth is known, as they are by default and with all of their lanes,
 * keeps each when it ends, and prints what all sessions say.
 * @returns the exit code
 * @throws {UserError} the spec does not say what to calibrate with; nothing was measured
 */
export async function runCalibration(
  { system, budget_s = Infinity, trials = Infinity, only, confirm }: CalibrateOptions,
  world: World,
): Promise<number> {
  const suite = loadSuite(world.cwd);
  const { plan, conditions, set } = chooseCase(suite, { system, only }, world);
  const side = await findSide(undefined, { suite, cwd: world.cwd, env: world.env });
  const exit = await withSession(plan, { confirm }, world, async (run, cases) => {
    const { blocks, timing, helped, lanes } = settingsOf(suite.bench);
    const pairOf = (sides: Sides) => pairCases(cases, { ...sides, block: timing, lanes, set })[0];
    const pair = pairOf({ base: side, head: side });
    await prepareSides(pair, { base: side, head: side }, run);
    const helpers = await helpersOf(pair, helped);
    const duet = {
      definition: definitionHash(pair.solo, suite.root),
      blocks,
      timing,
      lanes: lanesOf(pair, lanes),
      pair: {
        swapped_cores: helpers.planned('swap-cores'),
        kept_awake: helpers.planned('keep-awake'),
      },
    };
    const command = commandWith(['calibrate', pair.solo.system], {});
    const context = {
      base: side,
      head: side,
      blocks,
      interimLooks: [],
      timing,
      helped,
      command,
      suite,
      rule: ownRule(suite),
      files: { base: filesOfNone, head: filesOfNone }, // one folder: nothing is compared
      sources: new Map(),
    };
    const shown = plannedPair(pair, blocks);
    run.progress.begin([shown], shown.blocks.length, 0, { unit: 'block' });
    const counts = countsOf(suite, pair.solo.system, duet);
    const checkouts = laterCheckouts(suite.root, { pairOf, run, env: world.env, isAsked: only !== undefined });
    try {
      await measureTrials(pair, { ...context, conditions, counts, budget_s, trials, checkouts }, run);
    } finally {
      await checkouts.end();
    }
    run.progress.end();
    deleteScratch(run, []);
    return exitCodes.pass;
  });
  if (exit === exitCodes.pass) await printCalibration(suite, plan.toRun[0].system, {}, world);
  return exit;
}

const filesOfNone = { top: '', isTracked: () => true, path: '' };

/**
 * Measures one trial after the other, always of the condition that has the fewest, and keeps each when it ends.
 * @param given counts: of trials that are kept, by condition
 */
async function measureTrials(
  pair: PairedCase,
  {
    conditions,
    counts,
    budget_s,
    trials,
    checkouts,
    ...context
  }: Omit<Parameters<typeof measureTrial>[2], 'n'> & {
    conditions: Condition[];
    counts: Map<string, number>;
    budget_s: number;
    trials: number;
    checkouts: LaterCheckouts;
  },
  run: Run,
) {
  const began = performance.now();
  let longest_s = 0;
  let tried = conditions;
  for (let n = 1; n <= trials && !run.interrupt.asked; n += 1) {
    let condition = nextCondition(tried, counts);
    const twice = condition.checkouts ? await checkouts.get() : null;
    if (condition.checkouts && twice === null) {
      tried = tried.filter(({ checkouts: needed }) => !needed);
      condition = nextCondition(tried, counts);
    }
    const started = performance.now();
    if (n > 1 && (started - began) / 1000 + longest_s > budget_s) break;
    run.progress.note(`trial ${n}: ${condition.name}`);
    const trial = await measureTrial(
      twice?.pair ?? pair,
      condition,
      { ...context, ...twice?.sides, n },
      twice?.run ?? run,
    );
    if (trial === null) break;
    await keepTrial(context.suite, trial);
    counts.set(condition.name, (counts.get(condition.name) ?? 0) + 1);
    longest_s = Math.max(longest_s, (performance.now() - started) / 1000);
  }
}

/**
 * How many trials of a duet are kept.
 * @returns by condition
 */
function countsOf(suite: Suite, system: string, duet: Parameters<typeof sameDuet>[1]): Map<string, number> {
  const trials = readTrials(suite, system);
  const counts: Map<string, number> = new Map();
  for (const trial of trials) {
    if (sameDuet(trial, duet)) counts.set(trial.condition, (counts.get(trial.condition) ?? 0) + 1);
  }
  return counts;
}
