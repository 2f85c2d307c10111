import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../io/files.js';
import { isPlainScript } from '../../io/script-files.js';
import { CaseFailure, Interrupted } from '../../process/failure.js';
import { alphaSpentAt } from '../../records/interim-looks.js';
import { reduceRound } from '../../records/reduce-case.js';
import { buildServices } from '../../services/build.js';
import { secretsOf } from '../../services/secrets.js';
import { generatorCores } from '../../session/cores.js';
import { definitionHash } from '../../session/definition.js';
import { randomOf, shuffled } from '../../session/random-order.js';
import { headerOf } from '../../session/run-header.js';
import { writeFailure } from '../../session/write-failure.js';
import { writeCase } from '../case-file.js';
import { foreignFile } from './foreign-files.js';
import { judgeDuet } from './judge.js';
import { measureApart, measureBlock, measureInterleaved } from './measure-block.js';
import { laneFolder, measureAge, measureLanes, mostBusy } from './measure-lanes.js';
import { plannedPair } from './planned-blocks.js';
import { imagesOf, sameImages } from './same-images.js';
import { sideNames } from './split.js';
import { staleBuild } from './stale-build.js';

/**
 * @typedef {import('../../spec/index.js').Case} Case
 * @typedef {import('../../run-context.js').Run} Run
 * @typedef {import('./pair-cases.js').PairedCase} PairedCase
 * @typedef {import('./split.js').SideName} SideName
 * @typedef {import('./sides.js').DuetSide} DuetSide
 * @typedef {import('../../services/services.js').Services} Services
 * @typedef {import('../../records/interim-looks.js').InterimLook} InterimLook
 * @typedef {{ base: DuetSide, head: DuetSide, blocks: number, interimLooks: readonly InterimLook[], seed: number,
 *   timing: { warmup_s: number, seconds: number }, command: string,
 *   suite: import('../../suite.js').Suite, rule: import('./ruler/compare-sides.js').SharedRule }} DuetContext interimLooks: when it may end before all blocks are done
 * @typedef {{ benchCase: Case, folder: string, status: 'measured' | 'error' | 'interrupted', reason: string | null,
 *   base_reason: string | null, foreign: { base: string, head: string } | null, stale: string | null, more?: string[],
 *   lanes: import('./measure-lanes.js').LanesOutcome | null,
 *   pair: { alpha_spent: number, lanes_alpha_spent: number, interleaved: string | null, apart: boolean } }} PairOutcome
 *   base_reason: why there is nothing to compare with; foreign: what base runs that is head's, or no commit's; stale: a build that
 *   wrote nothing, or made what base's made; more: lines that help to find out why; alpha_spent: by judging it now;
 *   lanes_alpha_spent: by judging its lanes, which are measured before, and the same at each look
 */

/**
 * Measures every case until it is decided, in random order.
 * @param {readonly PairedCase[]} pairs
 * @param {DuetContext} context
 * @param {Run} run
 * @returns {Promise<PairOutcome[]>} in the order of the spec
 */
export async function measurePairs(pairs, context, run) {
  const random = randomOf(context.seed);
  const runs = runsOf(context, run);
  const order = shuffled(pairs, random);
  /** @type {Map<PairedCase, PairOutcome>} */
  const outcomes = new Map(
    pairs.map((pair) => [pair, outcomeOf(pair, context, run, 'interrupted', 'interrupted before it began', 0)]),
  );
  try {
    const since = Date.now();
    const built = {
      since,
      base: await buildServices(
        pairs.filter(({ obstacle }) => !obstacle).map(({ base }) => base),
        runs.base,
        'base',
      ),
      head: await buildServices(
        pairs.map(({ head }) => head),
        runs.head,
        'head',
      ),
    };
    const shown = order.map((pair) => plannedPair(pair, context.blocks, context.rule.lanes?.blocks ?? 0));
    const most = Math.max(0, ...shown.map(({ blocks }) => blocks.length));
    const mayEndSooner = context.interimLooks.some((look) => look.blocks < context.blocks);
    run.progress.begin(shown, most, context.seed, { unit: 'block', mayEndSooner });
    for (const [index, pair] of order.entries()) {
      if (run.interrupt.asked) break;
      run.progress.beginCase(index);
      const outcome = await measurePair(pair, { ...context, cases: pairs.length, runs, random, built });
      run.progress.endCase(outcomeText(outcome), outcome.more);
      outcomes.set(pair, outcome);
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error; // while building
  }
  run.progress.end();
  return [...outcomes.values()];
}

/**
 * Measures one case: its blocks, until all are done or an interim look decides it.
 * @param {PairedCase} pair
 * @param {DuetContext & { cases: number, runs: Record<SideName, Run>, random: () => number,
 *   built: Record<SideName, (benchCase: Case) => CaseFailure | null> & { since?: number } }} context since: when building
 *   began, in epoch milliseconds
 * @returns {Promise<PairOutcome>}
 */
export async function measurePair(pair, { runs, random, built, ...context }) {
  const run = runs.head;
  let blocks = 0; // that are done
  /** @type {PairOutcome['foreign']} */
  let foreign = null; // what base runs that is not its own
  /** @type {string | null} */
  let stale = null; // a build of head that wrote nothing
  /** @type {PairOutcome['lanes']} */
  let lanes = null;
  const how = howPaired(pair.solo, context.head.root);
  const done = (
    /** @type {PairOutcome['status']} */ status,
    /** @type {string | null} */ reason,
    base_reason = /** @type {string | null} */ (null),
  ) => {
    const outcome = outcomeOf(pair, context, run, status, reason, blocks);
    return { ...outcome, pair: { ...outcome.pair, ...how }, base_reason, foreign, stale, lanes };
  };
  if (pair.obstacle) return done('measured', null, pair.obstacle);
  const folder = folderOf(pair, run);
  const generator = generatorCores([...pair.base.services, ...pair.head.services]);
  const cores = generator.pinned ? generator.cores.join(',') : null;
  let isFirst = true; // of head's starts
  /** @type {Partial<Record<SideName, import('./same-images.js').ServiceImage[] | null>>} */
  const images = {};
  const started = async (/** @type {SideName} */ side, /** @type {Services} */ { list }) => {
    if (context.rule.headFolders.length > 0 && images[side] === undefined) {
      images[side] = imagesOf(list);
      const { foreign: base, note } = sameImages(images.base ?? null, images.head ?? null);
      foreign ??= base;
      stale ??= note;
    }
    if (side === 'base') {
      const file = foreignFile(list, { own: context.base.root, others: context.rule.headFolders });
      foreign ??= file === null ? null : { base: file, head: 'its own' };
    } else if (isFirst && built.since !== undefined && context.rule.headFolders.length > 0) {
      isFirst = false;
      const { base, head } = context;
      stale ??= await staleBuild(list, { benchCase: pair.head, root: head.root, base: base.root, since: built.since });
    }
  };
  const place = { ...context, generator, folder };
  const sides = how.apart ? apart(pair) : pair;
  const measured = await writeCases(sides, pair.solo, (side) => side, place, run);
  try {
    // A head that cannot be built has failed, whatever base does.
    for (const side of /** @type {const} */ (['head', 'base'])) {
      const unbuilt = built[side](pair[side]);
      if (unbuilt) throw unbuilt.of(side);
    }
    if (!how.apart) refuseSharedCookies(pair.solo);
    const before = pair.lanes === null ? 0 : (context.rule.lanes?.blocks ?? 0);
    const { reports } = context.rule;
    const laneFiles = (
      /** @type {import('../../spec/expand.js').Lane} */ lane,
      /** @type {Record<SideName, Case>} */ cases,
    ) => writeCases(cases, cases.head, (side) => laneFolder(lane, side), place, run);
    const given = { folder, runs, cores, random, started };
    if (pair.lanes !== null) {
      const files = {
        load: await laneFiles('load', pair.lanes.load),
        saturation: await laneFiles('saturation', pair.lanes.saturation),
      };
      const ofLanes = { ...given, measured: files, blocks: before, reports };
      lanes = await measureLanes({ ...pair, lanes: pair.lanes }, ofLanes, run.progress);
    }
    for (let block = 1; block <= context.blocks; block += 1) {
      run.progress.beginRound(before + block);
      const ofBlock = { ...given, block, measured };
      await measureAs(how)(pair, ofBlock);
      if (how.apart && block === 1) {
        how.interleaved = await whyNotAtOnce(folder, reports);
        how.apart = how.interleaved === null;
        if (how.interleaved !== null) await measureInterleaved(pair, ofBlock); // in place of it
      }
      run.progress.endRound();
      blocks = block;
      const ends = block < context.blocks && context.interimLooks.some((look) => look.blocks === block);
      if (ends && (await judgedSoFar(done('measured', null), context, run)).decided) break;
    }
    // What has failed needs no more; a calibration has no interim looks, and measures all.
    const isOver = async () =>
      context.interimLooks.length > 0 && (await judgedSoFar(done('measured', null), context, run)).verdict === 'fail';
    if (pair.lanes?.age && lanes !== null && lanes.falls.length === 0 && !(await isOver())) {
      run.progress.beginRound(before + context.blocks + 1);
      const files = { age: await laneFiles('age', pair.lanes.age) };
      lanes = await measureAge(pair, { ...given, measured: files, reports }, lanes);
      run.progress.endRound();
    }
    return done('measured', null);
  } catch (error) {
    if (error instanceof Interrupted)
      return done('interrupted', `interrupted after ${blocks} of ${context.blocks} blocks`);
    if (!(error instanceof CaseFailure)) throw error;
    const secrets = sideNames.flatMap((side) => secretsOf(pair[side], run.env, run.secrets));
    const { reason, more } = await writeFailure(folder, error, secrets);
    // A head that works is not at fault for a base that does not.
    const ended = error.side === 'base' ? done('measured', null, reason) : done('error', reason);
    return { ...ended, more };
  }
}

/**
 * Two sides of one host would share a user's cookies, which are of a host whatever its port.
 * @param {Case} solo
 * @throws {CaseFailure}
 */
function refuseSharedCookies({ scenario, environment, cookies, interleaved }) {
  if (cookies !== 'user' || interleaved !== null) return;
  throw new CaseFailure(`scenario ${scenario} keeps cookies for good (cookies = "user"): two sides would share them`, {
    hint: `Measure one after the other: duet = { concurrent = false, reason = "cookies" } in environment ${environment}.`,
  });
}

/** @param {PairOutcome} outcome */
const outcomeText = ({ status, reason, base_reason }) =>
  status === 'error' ? `ERROR: ${reason}` : (reason ?? base_reason ?? 'measured');

/**
 * Judges what was measured so far.
 * @param {PairOutcome} outcome
 * @param {DuetContext & { cases: number }} context
 * @param {Run} run
 * @returns {Promise<{ verdict: string, decided: boolean }>} decided: it needs no more blocks
 */
async function judgedSoFar(outcome, { cases, ...context }, run) {
  const place = { folder: outcome.folder, run: null, root: run.root };
  const comparison = await judgeDuet([outcome], { ...context, time: run.time, sharing: cases }, place);
  return comparison.cases[0];
}

/**
 * Writes case.json for both sides: what is measured is one and the same.
 * @param {Record<SideName, Case>} cases
 * @param {Case} ruler what both sides are measured by
 * @param {(side: SideName) => string} folderOfSide in the case's
 * @param {DuetContext & { generator: { cores: number[], pinned: boolean }, folder: string }} context
 * @param {Run} run
 * @returns {Promise<Record<SideName, import('../case-file.js').CaseFile>>}
 */
async function writeCases(cases, ruler, folderOfSide, { base, head, seed, command, generator, folder }, run) {
  const given = { root: head.root, definition: definitionHash(ruler, head.root), generator };
  const write = async (/** @type {SideName} */ name, /** @type {DuetSide} */ source) => {
    const header = await headerOf(run, { seed, rounds: null, profile: ruler.profile, command, source });
    return writeCase(join(folder, folderOfSide(name)), cases[name], { ...given, header });
  };
  return { base: await write('base', base), head: await write('head', head) };
}

/** @param {PairedCase} pair @param {Run} run */
const folderOf = ({ solo }, run) => join(run.folder, solo.system, solo.environment, solo.name);

/**
 * @param {PairedCase} pair
 * @param {DuetContext} context
 * @param {Run} run
 * @param {PairOutcome['status']} status
 * @param {string | null} reason
 * @param {number} blocks that are done
 * @returns {PairOutcome}
 */
const outcomeOf = (pair, { interimLooks, head }, run, status, reason, blocks) => ({
  benchCase: pair.solo,
  folder: folderOf(pair, run),
  status,
  reason,
  base_reason: null,
  foreign: null,
  stale: null,
  lanes: null,
  pair: { alpha_spent: alphaSpentAt(interimLooks, blocks), lanes_alpha_spent: 1, ...howPaired(pair.solo, head.root) },
});

/**
 * How the two sides of a case are brought together.
 * @param {Case} solo
 * @param {string} root head's
 */
const howPaired = (solo, root) => ({
  interleaved: solo.interleaved,
  apart: solo.interleaved === null && playedApart(solo, root),
});

/** @param {PairedCase} pair @returns {Record<SideName, Case>} */
const apart = ({ base, head }) => ({ base: { ...base, apart: true }, head: { ...head, apart: true } });

/** @param {ReturnType<typeof howPaired>} how */
const measureAs = ({ interleaved, apart }) => (interleaved ? measureInterleaved : apart ? measureApart : measureBlock);

/**
 * Two k6 processes whose users do not pause take the CPU time from each other, and from the services.
 * @param {string} folder of the case, after its first block
 * @param {string} reports the folder whose programs reduce
 * @returns {Promise<string | null>} null: the machine carries both at once
 */
async function whyNotAtOnce(folder, reports) {
  const record = await reduceRound(join(folder, 'head'), 1, { reports });
  const cores = record.metrics.machine_cpu_ratio_mean?.value ?? null;
  if (cores === null) return null;
  const busy = cores / (record.fingerprint.cores ?? 1);
  return busy <= mostBusy ? null : `both at once kept ${Math.round(100 * busy)} % of this machine's CPU time busy`;
}

/**
 * Whether each side has a k6 process of its own: a script that knows nothing of two sides has state of one, and the
 * variables of a process are those of one side.
 * @param {Case} solo
 * @param {string} root head's
 */
function playedApart({ script, spec_dir, env }, root) {
  const file = script === null ? null : join(root, spec_dir, script);
  return file !== null && (env !== undefined || (existsSync(file) && isPlainScript(file)));
}

/**
 * The run as each side sees it.
 * @param {Pick<DuetContext, 'base' | 'head'>} sides
 * @param {Run} run
 * @returns {Record<SideName, Run>}
 */
export const runsOf = ({ base, head }, run) => ({ base: runOf('base', base, run), head: runOf('head', head, run) });

/**
 * The run as one side sees it: its own files, and its own folder for what services write.
 * @param {SideName} name
 * @param {DuetSide} side
 * @param {Run} run
 * @returns {Run}
 */
const runOf = (name, { root }, run) => ({
  ...run,
  root,
  valuesOf: (benchCase, ports) => {
    const values = run.valuesOf(benchCase, ports);
    return { ...values, specDir: join(root, benchCase.spec_dir), runDir: makeFolder(join(values.runDir, name)) };
  },
});
