import { join } from 'node:path';
import { changedSystems, memoryFor } from '../../check/index.js';
import { writeJson } from '../../io/files.js';
import { printReport } from '../../records/index.js';
import { interimLooks } from '../../records/interim-looks.js';
import { newSeed } from '../../session/random-order.js';
import { commandWith } from '../../session/repeat-command.js';
import { planRun } from '../../session/select-cases.js';
import { deleteScratch } from '../../session/session.js';
import { withSession } from '../../session/with-session.js';
import { loadSuite, systemNames } from '../../suite.js';
import { judgeDuet } from './judge.js';
import { measurePairs } from './measure-pair.js';
import { pairCases, withoutAlike } from './pair-cases.js';
import { compareSides } from './ruler/compare-sides.js';
import { settingsOf } from './settings.js';
import { findSide } from './sides.js';

/**
 * @typedef {import('../../session/select-cases.js').CaseSelection & { base: string, head?: string, blocks?: number, seed?: number,
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
  const base = await findSide(options.base, where);
  const head = await findSide(options.head, { ...where, known: systemNames(here) });
  const suite = loadSuite(head.root);
  const { timing, ...settings } = settingsOf(suite.bench);
  const { blocks = settings.blocks, seed = newSeed() } = options;
  const asked = { ...options, blocks, seed };
  const plan = await planDuet(suite, asked, { here, head }, world);
  // Its files are those of the suite that one stands in: head's folder may be a cache.
  return withSession(plan, { ...asked, place: here }, world, async (run, cases) => {
    const { pairs, alike } = withoutAlike(pairCases(cases, { base, head, block: timing, set: asked.set }));
    for (const { name, as } of alike) run.progress.note(`${name}: in a duet the same as ${as}`);
    const command = commandOf(asked, base, head);
    const rule = await compareSides(base, head, { ...asked, systems: systemsOf(plan) }, here);
    for (const note of rule.notes) run.progress.note(note);
    const context = { base, head, blocks, interimLooks: interimLooks(blocks), seed, timing, command, suite, rule };
    const outcomes = await measurePairs(pairs, context, run);
    deleteScratch(run, outcomes);
    const gone = asked.changed ? goneFrom(base, suite) : [];
    const place = { folder: run.folder, run: run.id, root: here.root };
    const comparison = await judgeDuet(outcomes, { ...context, time: run.time, gone }, place);
    await writeJson(join(run.folder, 'comparison.json'), comparison);
    const format = asked.json ? 'json' : 'text';
    await printReport({ comparison, format, reports: join(suite.root, 'reports') }, world);
    return comparison.exit;
  });
}

/** @param {import('../../session/select-cases.js').RunPlan} plan */
const systemsOf = ({ toRun, notRun }) => [...new Set([...toRun, ...notRun].map(({ system }) => system))];

/**
 * The command that does the same again, elsewhere and later.
 * @param {DuetOptions} asked
 * @param {import('./sides.js').DuetSide} base
 * @param {import('./sides.js').DuetSide} head
 */
function commandOf({ base: from, head: to, systems = [], ...rest }, base, head) {
  const words = [base.word ?? from, ...(head.word === null ? [] : [head.word])];
  return commandWith(['duet', ...words, ...systems], rest);
}

/**
 * What to measure. A change that concerns no system is told as a comparison of no case: what was told of it before is no
 * longer so.
 * @param {import('../../suite.js').Suite} suite
 * @param {DuetOptions} options
 * @param {{ here: import('../../suite.js').Suite, head: import('./sides.js').DuetSide }} where here: where git is asked, for
 *   head's own folder may be a cache
 * @param {import('../../world.js').World} world
 * @returns {Promise<import('../../session/select-cases.js').RunPlan>}
 */
async function planDuet(suite, { changed = false, base, ...choice }, { here, head }, world) {
  if (!changed) return planRun(suite, choice, world);
  const named = choice.systems?.length ? choice.systems : systemNames(suite);
  const to = head.root === here.root ? null : head.commit;
  const systems = await changedSystems(suite, named, base, { repository: here.root, head: to });
  if (systems.length) return planRun(suite, { ...choice, systems }, world);
  return { suite, memory_bytes: memoryFor(suite.bench), toRun: [], notRun: [] };
}

/**
 * Systems that a change takes away.
 * @param {import('./sides.js').DuetSide} base
 * @param {import('../../suite.js').Suite} suite head's
 * @returns {string[]}
 */
function goneFrom(base, suite) {
  const known = systemNames(suite);
  return systemNames({ root: base.root }).filter((name) => !known.includes(name));
}
