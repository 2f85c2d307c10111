import { join } from 'node:path';
import { memoryFor } from '../../check/index.js';
import { writeJson, writeWhole } from '../../io/files.js';
import { refuseUnmetRequirements } from '../../requirements.js';
import { confirmEnvironments } from '../../session/confirm.js';
import { conclude } from '../../session/outcome.js';
import { newSeed } from '../../session/random-order.js';
import { commandOf } from '../../session/repeat-command.js';
import { planRun } from '../../session/select-cases.js';
import { deleteScratch, interruptedCode, openSession } from '../../session/session.js';
import { benchDir, loadSuite } from '../../suite.js';
import { noteMissing, refuseMistyped } from './baseline.js';
import { measure, notRunOutcomes } from './measure-cases.js';

/**
 * @typedef {import('../../session/select-cases.js').Choice & {
 *   rounds?: number, seed?: number, baseline?: string, confirm?: boolean, json?: boolean }} RunOptions
 */

/** How many rounds a case has when neither the command line nor bench.toml's `[run] rounds` says. */
const defaultRounds = 5;

/**
 * Measures what was chosen, judges it and prints the outcome.
 * @param {RunOptions} options
 * @param {import('../../world.js').World} world progress goes to its stderr, the outcome to its stdout
 * @returns {Promise<number>} the exit code: that of comparison.json, or 130 when it was interrupted
 * @throws {import('../../errors.js').UserError} nothing was measured, or the run could not go on
 */
export async function runBenchmark(options, world) {
  const suite = loadSuite(world.cwd);
  const settings = suite.bench.run ?? {};
  const { rounds = settings.rounds ?? defaultRounds, seed = newSeed() } = options;
  const asked = { ...options, rounds, seed };
  const memory_bytes = memoryFor(suite.bench);
  const plan = planRun(suite, asked, { memory_bytes, world });
  await refuseMistyped(asked.baseline, suite);
  const all = asked.env === 'all';
  const mayRun = await confirmEnvironments(plan.toRun, { confirmed: asked.confirm ?? false, all }, world);
  const cases = plan.toRun.filter(mayRun);
  refuseUnmetRequirements(suite, cases, world.env);

  const { run, k6Version, time, close } = await openSession(suite, { memory_bytes, cases }, world);
  try {
    noteMissing(asked.baseline, suite, run.progress);
    for (const { system, environment, name, status, reason } of plan.notRun) {
      run.progress.note(`not run: ${system}/${environment}/${name} (${status}: ${reason})`);
    }
    const outcomes = await measure(cases, { asked, k6Version, time }, run);
    if (outcomes.every(({ status }) => status !== 'error')) deleteScratch(run);
    await writeJson(join(run.folder, 'run.json'), {
      schema: 1,
      id: run.id,
      time: time.toISOString(),
      command: commandOf(asked),
      options: asked,
      cases: [...outcomes, ...notRunOutcomes(plan.notRun)],
    });
    await writeWhole(join(benchDir(suite), 'latest'), `${run.id}\n`);
    const exit = await conclude(suite, { runDir: run.folder, baseline: asked.baseline, json: asked.json }, world);
    return run.interrupt.asked ? interruptedCode : exit;
  } finally {
    close();
  }
}
