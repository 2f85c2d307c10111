import { exitCodes } from '../../base/errors.js';
import { counted } from '../../base/format.js';
import type { World } from '../../base/world.js';
import { openInBrowser } from '../../site/serve/open-browser.js';
import { defaultRounds, loadSuite, type Suite } from '../../suite/suite.js';
import { openLive } from '../live/open-live.js';
import type { Watcher } from '../run-context.js';
import { conclude } from '../session/conclude.js';
import type { Player } from '../session/player.js';
import { newSeed } from '../session/random-order.js';
import { commandOf } from '../session/repeat-command.js';
import { type CaseSelection, planRun } from '../session/select-cases.js';
import { withSession } from '../session/with-session.js';
import { refuseTooShort } from './budget.js';
import { noteMissing, refuseMistyped } from './check-baseline.js';
import { measureCases, noteNotRun, notRunOutcomes } from './measure-cases.js';
import { missingCases, refuseKept } from './missing-cases.js';

/**
 * watch: show it in a browser; version: that keeps each case as it ends; missing: measure only what it does not have;
 * budget_s: begin no case that would end later
 */
export type RunOptions = CaseSelection & {
  rounds?: number;
  seed?: number;
  baseline?: string;
  player?: Player;
  confirm?: boolean;
  json?: boolean;
  watch?: boolean;
  version?: string;
  missing?: boolean;
  budget_s?: number;
};

/**
 * Measures what was chosen, judges it and prints the outcome.
 * @param world progress goes to its stderr, the outcome to its stdout
 * @returns the exit code: that of comparison.json, or 130 when it was interrupted
 * @throws {UserError} nothing was measured, or the run could not go on
 */
export async function runBenchmark(options: RunOptions, world: World): Promise<number> {
  const suite = loadSuite(world.cwd);
  const { watch = false, ...others } = options;
  const { rounds = suite.bench.run?.rounds ?? defaultRounds, seed = newSeed() } = others;
  const runOptions = { ...others, rounds, seed };
  const plan = planRun(suite, runOptions, world);
  await refuseMistyped(runOptions.baseline, suite);
  if (runOptions.version !== undefined) {
    const { version, player = suite.bench.run?.player } = runOptions;
    const all = plan.toRun;
    plan.toRun = await missingCases(all, { suite, version, player }, world);
    if (!runOptions.missing) refuseKept(all, plan.toRun, version);
    if (all.length > 0 && plan.toRun.length === 0) {
      world.stdout.write(`Nothing to measure: version ${version} has all of it (${counted(all.length, 'case')}).\n`);
      return exitCodes.pass;
    }
  }
  refuseTooShort(plan.toRun, runOptions.budget_s, rounds);
  const measure = (watcher: Watcher) =>
    withSession(plan, { ...runOptions, watcher }, world, async (run, cases) => {
      noteMissing(runOptions.baseline, suite, run.progress);
      noteNotRun(plan.notRun, run.progress);
      const outcomes = [...(await measureCases(cases, runOptions, run)), ...notRunOutcomes(plan.notRun)];
      return conclude(suite, { command: commandOf(runOptions), options: runOptions, cases: outcomes }, run, world);
    });
  return watch ? watched(suite, measure, world) : measure(() => {});
}

/**
 * Shows in a browser what is measured.
 * @param measure gives the exit code
 */
async function watched(suite: Suite, measure: (watcher: Watcher) => Promise<number>, world: World) {
  const live = await openLive(suite);
  world.stderr.write(`watch it: ${live.url}\n`);
  openInBrowser(live.url);
  let exit: number | null = null;
  try {
    exit = await measure(live.watcher);
    return exit;
  } finally {
    await live.close(exit);
  }
}
