import { memoryFor } from '../../check/index.js';
import { printCalibration, sameDuet } from '../../records/calibration/calibration.js';
import { keepTrial, readTrials } from '../../records/calibration/trials.js';
import { refuseUnmetRequirements } from '../../requirements.js';
import { buildServices } from '../../services/build.js';
import { confirmEnvironments } from '../../session/confirm.js';
import { definitionHash } from '../../session/definition.js';
import { commandWith } from '../../session/repeat-command.js';
import { deleteScratch, interruptedCode, openSession } from '../../session/session.js';
import { loadSuite } from '../../suite.js';
import { pairCases } from '../duet/pair-cases.js';
import { settingsOf } from '../duet/settings.js';
import { findSide } from '../duet/sides.js';
import { nextCondition } from './conditions.js';
import { measureTrial } from './measure-trial.js';
import { chooseCase } from './select-case.js';

/**
 * @typedef {{ system?: string, budget_s?: number, trials?: number, only?: string, confirm?: boolean }} CalibrateOptions
 *   budget_s and trials: how long the session lasts at most, whichever comes first; only: one condition
 */

/**
 * Runs one calibration session: measures duets of which the truth is known, keeps each when it ends, and prints what all
 * sessions say.
 * @param {CalibrateOptions} options
 * @param {import('../../world.js').World} world
 * @returns {Promise<number>} the exit code
 * @throws {import('../../errors.js').UserError} the spec does not say what to calibrate with; nothing was measured
 */
export async function runCalibration({ system, budget_s = Infinity, trials = Infinity, only, confirm = false }, world) {
  const suite = loadSuite(world.cwd);
  const memory_bytes = memoryFor(suite.bench);
  const { one, conditions, set } = chooseCase(suite, { system, only }, { memory_bytes, world });
  await confirmEnvironments([one], { confirmed: confirm, all: false }, world);
  refuseUnmetRequirements(suite, [one], world.env);
  const side = await findSide(undefined, { suite, cwd: world.cwd, env: world.env });
  const { blocks, timing } = settingsOf(suite.bench);
  const kept = readTrials(suite, one.system);
  const { run, k6Version, time, close } = await openSession(suite, { memory_bytes, cases: [one] }, world);
  try {
    const [pair] = pairCases([one], { base: side, head: side, block: timing, set });
    const build = await buildServices([pair.head], run);
    const unbuilt = build(pair.head);
    if (unbuilt) throw unbuilt;
    const command = commandWith(['calibrate', one.system], {});
    const context = { base: side, head: side, blocks, interimLooks: [], timing, k6Version, time, command, suite };
    const duet = { definition: definitionHash(pair.solo, suite.root), blocks, timing };
    const counts = countsOf(kept.map(({ trial }) => trial).filter((trial) => sameDuet(trial, duet)));
    const began = performance.now();
    let longest_s = 0;
    run.progress.begin([pair.solo], blocks, 0, 'block');
    for (let n = 1; n <= trials && !run.interrupt.asked; n += 1) {
      const condition = nextCondition(conditions, counts);
      const started = performance.now();
      if (n > 1 && (started - began) / 1000 + longest_s > budget_s) break;
      run.progress.note(`trial ${n}: ${condition.name}`);
      const trial = await measureTrial(pair, condition, { ...context, n }, run);
      if (trial === null) break;
      await keepTrial(suite, trial);
      counts.set(condition.name, (counts.get(condition.name) ?? 0) + 1);
      longest_s = Math.max(longest_s, (performance.now() - started) / 1000);
    }
    run.progress.end();
    deleteScratch(run);
    if (run.interrupt.asked) return interruptedCode;
  } finally {
    close();
  }
  await printCalibration(suite, one.system, {}, world);
  return 0;
}

/** @param {readonly import('../../records/calibration/trials.js').Trial[]} trials @returns {Map<string, number>} by condition */
function countsOf(trials) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { condition } of trials) counts.set(condition, (counts.get(condition) ?? 0) + 1);
  return counts;
}
