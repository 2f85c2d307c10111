import { join } from 'node:path';
import { changedSystems, memoryFor } from '../../check/index.js';
import { writeJson } from '../../io/files.js';
import { printReport } from '../../records/index.js';
import { interimLooks } from '../../records/interim-looks.js';
import { refuseUnmetRequirements } from '../../requirements.js';
import { confirmEnvironments } from '../../session/confirm.js';
import { newSeed } from '../../session/random-order.js';
import { commandWith } from '../../session/repeat-command.js';
import { planRun } from '../../session/select-cases.js';
import { deleteScratch, interruptedCode, openSession } from '../../session/session.js';
import { loadSuite, systemNames } from '../../suite.js';
import { judgeDuet } from './judge.js';
import { measurePairs } from './measure-pair.js';
import { pairCases, withoutAlike } from './pair-cases.js';
import { settingsOf } from './settings.js';
import { findSide } from './sides.js';

/**
 * @typedef {import('../../session/select-cases.js').Choice & { base: string, head?: string, blocks?: number, seed?: number,
 *   confirm?: boolean, changed?: boolean, json?: boolean }} DuetOptions
 */

/**
 * Measures base and head at the same time, judges, and prints the outcome.
 * @param {DuetOptions} options
 * @param {import('../../world.js').World} world progress goes to its stderr, the outcome to its stdout
 * @returns {Promise<number>} the exit code: that of comparison.json, or 130 when it was interrupted
 * @throws {import('../../errors.js').UserError} nothing was measured
 */
export async function runDuet(options, world) {
  const here = loadSuite(world.cwd);
  const where = { suite: here, cwd: world.cwd, env: world.env };
  const [base, head] = [
    await findSide(options.base, where),
    await findSide(options.head, { ...where, known: systemNames(here) }),
  ];
  const suite = loadSuite(head.root);
  const { timing, ...settings } = settingsOf(suite.bench);
  const asked = { ...options, blocks: options.blocks ?? settings.blocks, seed: options.seed ?? newSeed() };
  const memory_bytes = memoryFor(suite.bench);
  const plan = await planDuet(suite, asked, { memory_bytes, world, here, head });
  const mayRun = await confirmEnvironments(
    plan.toRun,
    { confirmed: asked.confirm ?? false, all: asked.env === 'all' },
    world,
  );
  const cases = plan.toRun.filter(mayRun);
  refuseUnmetRequirements(suite, cases, world.env);
  const { pairs, alike } = withoutAlike(pairCases(cases, { base, head, block: timing, set: asked.set }));

  // Its files are those of the suite that one stands in: head's folder may be a cache.
  const { run, k6Version, time, close } = await openSession(here, { memory_bytes, cases }, world);
  try {
    const { blocks, seed } = asked;
    const { base: from, head: to, systems = [], ...rest } = asked;
    const words = [base.word ?? from, ...(head.word === null ? [] : [head.word])];
    const command = commandWith(['duet', ...words, ...systems], rest);
    for (const { name, as } of alike) run.progress.note(`${name}: in a duet the same as ${as}`);
    const gone = asked.changed ? goneFrom(base, suite) : [];
    const context = {
      base,
      head,
      blocks,
      interimLooks: interimLooks(blocks),
      seed,
      timing,
      k6Version,
      time,
      command,
      suite,
    };
    const outcomes = await measurePairs(pairs, context, run);
    if (outcomes.every(({ status }) => status !== 'error')) deleteScratch(run);
    const comparison = await judgeDuet(
      outcomes,
      { ...context, gone },
      { folder: run.folder, run: run.id, root: here.root },
    );
    await writeJson(join(run.folder, 'comparison.json'), comparison);
    await printReport(
      { comparison, format: asked.json ? 'json' : 'text', reports: join(suite.root, 'reports') },
      world,
    );
    return run.interrupt.asked ? interruptedCode : comparison.exit;
  } finally {
    close();
  }
}

/**
 * What to measure. A change that concerns no system is told as a comparison of no case: what was told of it before is no
 * longer so.
 * @param {import('../../suite.js').Suite} suite
 * @param {DuetOptions} options
 * @param {Parameters<typeof planRun>[2] & { here: import('../../suite.js').Suite, head: import('./sides.js').Side }} given
 *   here: where git is asked, for head's own folder may be a cache
 */
async function planDuet(suite, { changed = false, base, ...choice }, { here, head, ...given }) {
  if (!changed) return planRun(suite, choice, given);
  const named = choice.systems?.length ? choice.systems : systemNames(suite);
  const to = head.root === here.root ? null : head.commit;
  const systems = await changedSystems(suite, named, base, { repository: here.root, head: to });
  return systems.length ? planRun(suite, { ...choice, systems }, given) : { toRun: [], notRun: [] };
}

/**
 * Systems that a change takes away.
 * @param {import('./sides.js').Side} base
 * @param {import('../../suite.js').Suite} suite head's
 * @returns {string[]}
 */
function goneFrom(base, suite) {
  const known = systemNames(suite);
  return systemNames({ root: base.root }).filter((name) => !known.includes(name));
}
