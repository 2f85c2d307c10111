import { join } from 'node:path';
import { blocksAlone } from '../../cases/duet-settings.js';
import { CaseFailure, Interrupted } from '../../process/failure.js';
import { reduceRound } from '../../records/reduce-case.js';
import { secretsOf } from '../../services/secrets.js';
import { generatorCores } from '../../session/cores.js';
import { definitionHash } from '../../session/definition.js';
import { headerOf } from '../../session/run-header.js';
import { writeFailure } from '../../session/write-failure.js';
import { writeCase } from '../case-file.js';
import { helpersOf } from './block-helpers.js';
import { judgeDuet } from './judge.js';
import { measureAlone, measureApart, measureBlock, measureInterleaved } from './measure-block.js';
import { laneFolder, measureAge, measureLanes, mostBusy } from './measure-lanes.js';
import { folderOf, howPaired, outcomeOf } from './pair-outcome.js';
import { sideNames } from './split.js';
import { watchWhatRuns } from './what-runs.js';

/** @import { Case, Lane } from '../../cases/expand.js' */
/** @import { CaseFile } from '../../generator/k6.js' */
/** @import { Run } from '../../run-context.js' */
/** @import { BlockHelpers, HelperName } from './block-helpers.js' */
/** @import { PairedCase } from './pair-cases.js' */
/** @import { DuetContext, PairOutcome } from './pair-outcome.js' */
/** @import { DuetSide } from './sides.js' */
/** @import { SideName } from './split.js' */
/** @import { SidesWatch } from './what-runs.js' */

/**
 * @typedef {DuetContext & { cases: number, runs: Record<SideName, Run>, random: () => number,
 *   prepared: Record<SideName, (benchCase: Case) => CaseFailure | null> & { touched?: string | null } }} PairContext cases: that share
 *   alpha; touched: a file of base that was changed while head was built
 * @typedef {{ folder: string, cores: string | null, runs: Record<SideName, Run>, random: () => number,
 *   watch: SidesWatch, helpers: BlockHelpers }} Given what each measurement of the case needs
 * @typedef {{ blocks: number, lanes: PairOutcome['lanes'], how: ReturnType<typeof howPaired> }} Done blocks: that are done; how: the
 *   sides are brought together, which the first block may change
 */

/**
 * Measures one case: its lanes of load, its blocks, until all are done or an interim look decides it, and its lane of age.
 * @param {PairedCase} pair
 * @param {PairContext} context
 * @returns {Promise<PairOutcome>}
 */
export async function measurePair(pair, context) {
  const { base, head, runs, random, prepared } = context;
  const run = runs.head;
  const helpers = await helpersOf(pair, context.helped);
  const watch = watchWhatRuns({ base, head, headFolders: context.rule.headFolders, files: context.files });
  if (prepared.touched) watch.found.crossed = `${prepared.touched} of base was changed while head was built`;
  /** @type {Done} */
  const done = {
    blocks: 0,
    lanes: null,
    how: pair.alone ? { interleaved: null, apart: true } : howPaired(pair.solo, head.root),
  };
  /**
   * @param {PairOutcome['status']} status
   * @param {string | null} [reason]
   * @param {string | null} [base_reason]
   * @returns {PairOutcome}
   */
  const outcome = (status, reason = null, base_reason = null) => {
    const { pair: judging, ...rest } = outcomeOf(pair, context, run, status, reason, done.blocks);
    const worked = (/** @type {HelperName} */ name) => done.how.interleaved === null && helpers.worked(name);
    return {
      ...rest,
      seen: watch.found,
      lanes: done.lanes,
      base_reason,
      pair: {
        ...judging,
        ...done.how,
        swapped_cores: worked('swap-cores'),
        kept_awake: worked('keep-awake'),
      },
    };
  };
  if (pair.obstacle && !pair.alone) return outcome('measured', null, pair.obstacle);
  const folder = folderOf(pair, run);
  const generator = generatorCores([...pair.base.services, ...pair.head.services]);
  const cores = generator.pinned ? generator.cores.join(',') : null;
  const given = { folder, cores, runs, random, watch, helpers };
  const files = filesOf({ ...context, generator, folder }, run);
  const judgeSoFar = () => judgedSoFar(outcome('measured'), context, run);
  // There even where a side cannot be prepared: what was asked for is known.
  const measured = await files.solo(pair, done.how);
  try {
    refuseUnprepared(pair, prepared);
    if (!done.how.apart) refuseSharedCookies(pair.solo);
    if (pair.alone) {
      await measureHead({ pair, given, measured, done, context });
      return outcome('measured', null, pair.obstacle);
    }
    await measureLoadLanes({ pair, given, files, done, context });
    await measureBlocks({ pair, given, measured, done, context, looked: judgeSoFar });
    await measureAgeLane({ pair, given, files, done, context, looked: judgeSoFar });
    return outcome('measured');
  } catch (error) {
    if (error instanceof Interrupted)
      return outcome('interrupted', `interrupted after ${done.blocks} of ${context.blocks} blocks`);
    if (!(error instanceof CaseFailure)) throw error;
    const secrets = sideNames.flatMap((side) => secretsOf(pair[side], run.env, run.secrets));
    const { reason, more } = await writeFailure(folder, error, secrets);
    // A head that works is not at fault for a base that does not.
    const ended = error.side === 'base' ? outcome('measured', null, reason) : outcome('error', reason);
    return { ...ended, more };
  }
}

/**
 * A head that cannot be built or set up has failed, whatever base does.
 * @param {PairedCase} pair
 * @param {PairContext['prepared']} prepared
 * @throws {CaseFailure}
 */
function refuseUnprepared(pair, prepared) {
  for (const side of /** @type {SideName[]} */ (pair.alone ? ['head'] : ['head', 'base'])) {
    const failure = prepared[side](pair[side]);
    if (failure) throw failure.of(side);
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

/** @param {PairedCase} pair @param {PairContext} context @returns {number} blocks that are before those of solo */
const laneBlocks = ({ lanes }, { rule }) => (lanes === null ? 0 : (rule.lanes?.blocks ?? 0));

/**
 * Both sides under the scenario's own load, and asked for more than they can answer.
 * @param {{ pair: PairedCase, given: Given, files: Files, done: Done, context: PairContext }} of
 */
async function measureLoadLanes({ pair, given, files, done, context }) {
  const { lanes } = pair;
  if (lanes === null) return;
  const measured = {
    load: await files.lane('load', lanes.load),
    saturation: await files.lane('saturation', lanes.saturation),
  };
  const { reports } = context.rule;
  const ofLanes = { ...given, measured, blocks: laneBlocks(pair, context), reports };
  done.lanes = await measureLanes({ ...pair, lanes }, ofLanes, context.runs.head.progress);
}

/**
 * The blocks of one user, until an interim look decides.
 * @param {{ pair: PairedCase, given: Given, measured: FilesOfSides, done: Done, context: PairContext,
 *   looked: () => ReturnType<typeof judgedSoFar> }} of
 */
async function measureBlocks({ pair, given, measured, done, context, looked }) {
  const { progress } = context.runs.head;
  for (let block = 1; block <= context.blocks; block += 1) {
    progress.beginRound(laneBlocks(pair, context) + block);
    const ofBlock = { ...given, block, measured };
    await measureAs(done.how)(pair, ofBlock);
    if (done.how.apart && block === 1) {
      const interleaved = await whyNotAtOnce(given.folder, context.rule.reports);
      done.how = { interleaved, apart: interleaved === null };
      if (interleaved !== null) await measureInterleaved(pair, ofBlock); // in place of it
    }
    progress.endRound();
    done.blocks = block;
    const ends = block < context.blocks && context.interimLooks.some((look) => look.blocks === block);
    if (ends && (await looked()).decided) return;
  }
}

/**
 * Head alone, where base has no benchmark yet.
 * @param {{ pair: PairedCase, given: Given, measured: FilesOfSides, done: Done, context: PairContext }} of
 */
async function measureHead({ pair, given, measured, done, context }) {
  const { progress } = context.runs.head;
  for (let block = 1; block <= Math.min(blocksAlone, context.blocks); block += 1) {
    progress.beginRound(block);
    await measureAlone(pair, 'head', { ...given, block, measured });
    progress.endRound();
    done.blocks = block;
  }
}

/**
 * Both sides for as long as they live in the scenario. What has failed needs no more; a calibration has no interim looks, and
 * measures all.
 * @param {{ pair: PairedCase, given: Given, files: Files, done: Done, context: PairContext,
 *   looked: () => ReturnType<typeof judgedSoFar> }} of
 */
async function measureAgeLane({ pair, given, files, done, context, looked }) {
  if (!pair.lanes?.age || done.lanes === null || done.lanes.falls.length > 0) return;
  if (context.interimLooks.length > 0 && (await looked()).verdict === 'fail') return;
  const { progress } = context.runs.head;
  progress.beginRound(laneBlocks(pair, context) + context.blocks + 1);
  const measured = { age: await files.lane('age', pair.lanes.age) };
  done.lanes = await measureAge(pair, { ...given, measured, reports: context.rule.reports }, done.lanes);
  progress.endRound();
}

/**
 * Judges what was measured so far.
 * @param {PairOutcome} outcome
 * @param {PairContext} context
 * @param {Run} run
 * @returns {Promise<{ verdict: string, decided?: boolean }>} decided: it needs no more blocks
 */
async function judgedSoFar(outcome, { cases, ...context }, run) {
  const outputs = { folder: outcome.folder, run: null, root: run.root };
  const comparison = await judgeDuet([outcome], { ...context, time: run.time, sharing: cases }, outputs);
  return comparison.cases[0];
}

/**
 * @typedef {Record<SideName, CaseFile>} FilesOfSides
 * @typedef {ReturnType<typeof filesOf>} Files
 */

/**
 * Writes case.json of both sides: of one user, and of each lane.
 * @param {DuetContext & { generator: { cores: number[], pinned: boolean }, folder: string }} pairContext
 * @param {Run} run
 */
const filesOf = (pairContext, run) => ({
  /** @param {PairedCase} pair @param {Done['how']} how */
  solo: (pair, how) => writeCases(how.apart ? apart(pair) : pair, pair.solo, (side) => side, pairContext, run),
  /** @param {Lane} lane @param {Record<SideName, Case>} cases */
  lane: (lane, cases) => writeCases(cases, cases.head, (side) => laneFolder(lane, side), pairContext, run),
});

/**
 * Writes case.json for both sides: what is measured is one and the same.
 * @param {Record<SideName, Case>} cases
 * @param {Case} ruler what both sides are measured by
 * @param {(side: SideName) => string} folderOfSide in the case's
 * @param {DuetContext & { generator: { cores: number[], pinned: boolean }, folder: string }} context
 * @param {Run} run
 * @returns {Promise<Record<SideName, CaseFile>>}
 */
async function writeCases(cases, ruler, folderOfSide, { base, head, seed, command, generator, folder }, run) {
  const given = { root: head.root, definition: definitionHash(ruler, head.root), generator };
  const write = async (/** @type {SideName} */ name, /** @type {DuetSide} */ source) => {
    const header = await headerOf(run, { seed, rounds: null, profile: ruler.profile, command, source });
    return writeCase(join(folder, folderOfSide(name)), cases[name], { ...given, header });
  };
  return { base: await write('base', base), head: await write('head', head) };
}

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
