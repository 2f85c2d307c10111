import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memoryFor } from '../check/index.js';
import { settingsOf } from '../duet/settings.js';
import { pairCases } from '../duet/pairs.js';
import { playCase, runsOf } from '../duet/play.js';
import { findSide } from '../duet/sides.js';
import { UserError } from '../errors.js';
import { jq } from '../jq.js';
import { refuseNeeds } from '../needs.js';
import { reduceCase } from '../records/reduce-case.js';
import { endCommand, startCommand } from '../run/command.js';
import { definitionHash } from '../run/definition.js';
import { makeFolder } from '../run/files.js';
import { openLog } from '../run/log.js';
import { newSeed, randomOf } from '../run/order.js';
import { planRun } from '../run/plan.js';
import { buildServices } from '../run/prepare.js';
import { commandWith } from '../run/repeat.js';
import { deleteScratch, interruptedCode, openSession } from '../run/session.js';
import { parseToml } from '../spec/index.js';
import { loadSuite, specPath } from '../suite.js';
import { conditionsOf, nextCondition } from './conditions.js';
import { printCalibration, sameDuet } from './report.js';
import { keepTrial, readTrials } from './trials.js';

/**
 * @typedef {import('../run/context.js').Run} Run
 * @typedef {import('./conditions.js').Condition} Condition
 * @typedef {{ system?: string, for_s?: number, trials?: number, only?: string }} CalibrateOptions for_s and trials: how
 *   long the sitting is at the most, whichever comes first; only: one condition
 */

/**
 * One sitting: measures duets of which the truth is known, keeps each when it ends, and prints what all sittings say.
 * @param {CalibrateOptions} options
 * @param {import('../cli.js').World} world
 * @returns {Promise<number>} the exit code
 * @throws {UserError} the spec does not say what to calibrate with; nothing was measured
 */
export async function runCalibration({ system, for_s = Infinity, trials = Infinity, only }, world) {
  const suite = loadSuite(world.cwd);
  const memory_bytes = memoryFor(suite.bench);
  const { one, conditions, set } = chooseCase(suite, { system, only }, { memory_bytes, world });
  refuseNeeds(suite, [one], world.env);
  const side = await findSide(undefined, { suite, cwd: world.cwd, env: world.env });
  const { blocks, timing } = settingsOf(suite.bench);
  const kept = await readTrials(suite, one.system);
  const { run, k6Version, time, close } = await openSession(suite, { memory_bytes, cases: [one] }, world);
  try {
    const [pair] = pairCases([one], { base: side, head: side, block: timing, set });
    const build = await buildServices([pair.head], run);
    const unbuilt = build(pair.head);
    if (unbuilt) throw unbuilt;
    const command = commandWith(['calibrate', one.system], {});
    const context = { base: side, head: side, blocks, looks: [], timing, k6Version, time, command, suite };
    const duet = { definition: definitionHash(pair.lane, suite.root), blocks, timing };
    const counts = countsOf(kept.map(({ trial }) => trial).filter((trial) => sameDuet(trial, duet)));
    const began = performance.now();
    let longest_s = 0;
    run.progress.begin([pair.lane], blocks, 0, 'block');
    for (let n = 1; n <= trials && !run.interrupt.asked; n += 1) {
      const condition = nextCondition(conditions, counts);
      const started = performance.now();
      if (n > 1 && (started - began) / 1000 + longest_s > for_s) break;
      run.progress.note(`trial ${n}: ${condition.name}`);
      const trial = await playTrial(pair, condition, { ...context, n }, run);
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

/**
 * The case that a system is calibrated with, as its spec says.
 * @param {import('../suite.js').Suite} suite
 * @param {{ system?: string, only?: string }} asked
 * @param {Parameters<typeof planRun>[2]} given
 * @returns {{ one: import('../spec/index.js').Case, conditions: Condition[], set: Record<string, string> }}
 * @throws {UserError}
 */
function chooseCase(suite, { system, only }, given) {
  const name = system ?? [suite.bench.default].flat()[0];
  if (name === undefined) throw new UserError('which system? Name one: benchfolio calibrate <system>');
  const { calibrate } = /** @type {any} */ (parseToml(readFileSync(specPath(suite, name), 'utf8')));
  if (!calibrate) {
    throw new UserError(`specs/${name}/spec.toml has no [calibrate]: which scenario is a duet of it to be tried with?`, {
      hint: 'Add [calibrate] with a `scenario`, and `slowdowns`: environment variables that make the service slower.',
    });
  }
  const set = Object.fromEntries(Object.entries(calibrate.set ?? {}).map(([key, value]) => [key, String(value)]));
  const { toRun } = planRun(suite, { systems: [name], scenario: calibrate.scenario, env: calibrate.environment, set }, given);
  if (toRun.length !== 1) {
    throw new UserError(`[calibrate] of specs/${name}/spec.toml leaves ${toRun.length} cases, and must leave one`, {
      hint: `They are ${toRun.map((one) => `${one.environment}/${one.name}`).join(', ') || 'none'}. Narrow its \`set\`.`,
    });
  }
  const all = conditionsOf(calibrate);
  const conditions = only === undefined ? all : all.filter((condition) => condition.name === only);
  if (conditions.length === 0) {
    throw new UserError(`there is no condition "${only}"`, { hint: `There are ${all.map((condition) => condition.name).join(', ')}.` });
  }
  return { one: toRun[0], conditions, set };
}

/** @param {readonly import('./trials.js').Trial[]} trials @returns {Map<string, number>} by condition */
function countsOf(trials) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { condition } of trials) counts.set(condition, (counts.get(condition) ?? 0) + 1);
  return counts;
}

/**
 * Measures one duet whose truth is known, all of its blocks.
 * @param {import('../duet/pairs.js').PairedCase} pair
 * @param {Condition} condition
 * @param {Omit<import('../duet/play.js').Context, 'seed'> & { n: number }} context
 * @param {Run} session
 * @returns {Promise<import('./trials.js').Trial | null>} null: it was interrupted
 */
async function playTrial(pair, { name, env, bursts }, { n, ...context }, session) {
  const run = { ...session, folder: join(session.folder, `trial-${n}`) };
  const seed = newSeed();
  const slowed = { ...pair.head, services: pair.head.services.map((service) => ({ ...service, env: { ...service.env, ...env } })) };
  const built = { base: () => null, head: () => null };
  const started = performance.now();
  const noise = bursts ? await startBursts(run) : null;
  let outcome;
  try {
    run.progress.beginCase(0);
    outcome = await playCase({ ...pair, head: slowed }, {
      ...context, seed, cases: 1, runs: runsOf(context, run), random: randomOf(seed), built,
    });
  } finally {
    await noise?.();
  }
  const reports = join(context.suite.root, 'reports');
  const sides = ['base', 'head'].map((side) => join(outcome.folder, side));
  if (outcome.status === 'interrupted') return null;
  const records = await Promise.all(sides.map((folder) => reduceCase(folder, { reports })));
  const reason = outcome.reason ?? outcome.base_reason;
  // One that failed in its first block has no records; it is a trial all the same.
  const measured = records.every((record) => record !== null) ? sides.map((folder) => join(folder, 'record.json')) : [];
  const trial = await jq('trial.json.jq', [join(sides[1], 'case.json'), ...measured], {
    reports, args: {
      trial: {
        id: `${run.id}-${n}`, time: new Date().toISOString(), condition: name, bursts, env, blocks: context.blocks,
        timing: context.timing, seconds: Math.round((performance.now() - started) / 100) / 10, seed,
        status: reason === null ? 'measured' : 'failed', reason,
      },
    },
  });
  rmSync(run.folder, { recursive: true, force: true }); // its raw files: a sitting has hundreds
  return trial;
}

/**
 * Starts what loads the machine at random.
 * @param {Run} run
 * @returns {Promise<() => Promise<unknown>>} ends it
 */
async function startBursts(run) {
  const log = openLog(join(makeFolder(run.folder), 'bursts.log'));
  const running = await startCommand({
    name: 'bursts', argv: [process.execPath, fileURLToPath(new URL('bursts.js', import.meta.url))], cwd: run.root,
    env: run.env, log,
  }, run);
  return () => endCommand(running, 'SIGTERM', 1000).finally(() => log.close());
}
