import { conclude } from '../../session/outcome.js';
import { newSeed } from '../../session/random-order.js';
import { commandOf } from '../../session/repeat-command.js';
import { planRun } from '../../session/select-cases.js';
import { withSession } from '../../session/with-session.js';
import { defaultRounds, loadSuite } from '../../suite.js';
import { noteMissing, refuseMistyped } from './baseline.js';
import { measureCases, noteNotRun, notRunOutcomes } from './measure-cases.js';

/**
 * @typedef {import('../../session/select-cases.js').CaseSelection & {
 *   rounds?: number, seed?: number, baseline?: string, player?: import('../../session/player.js').Player,
 *   confirm?: boolean, json?: boolean }} RunOptions
 */

/**
 * Measures what was chosen, judges it and prints the outcome.
 * @param {RunOptions} options
 * @param {import('../../world.js').World} world progress goes to its stderr, the outcome to its stdout
 * @returns {Promise<number>} the exit code: that of comparison.json, or 130 when it was interrupted
 * @throws {import('../../errors.js').UserError} nothing was measured, or the run could not go on
 */
export async function runBenchmark(options, world) {
  const suite = loadSuite(world.cwd);
  const { rounds = suite.bench.run?.rounds ?? defaultRounds, seed = newSeed() } = options;
  const asked = { ...options, rounds, seed };
  const plan = planRun(suite, asked, world);
  await refuseMistyped(asked.baseline, suite);
  return withSession(plan, asked, world, async (run, cases) => {
    noteMissing(asked.baseline, suite, run.progress);
    noteNotRun(plan.notRun, run.progress);
    const outcomes = [...(await measureCases(cases, asked, run)), ...notRunOutcomes(plan.notRun)];
    return conclude(suite, { command: commandOf(asked), options: asked, cases: outcomes }, run, world);
  });
}
