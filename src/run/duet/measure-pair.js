import { join } from 'node:path';
import { CaseFailure, Interrupted } from '../../base/process/failure.js';
import { reduceRound } from '../../records/reduce-case.js';
import { blocksAlone } from '../../suite/cases/duet-settings.js';
import { limits } from '../../suite/cases/tables.js';
import { secretsOf } from '../services/secrets.js';
import { writeFailure } from '../session/write-failure.js';
import { openCase } from './contexts.js';
import { judgeDuet } from './judge-duet.js';
import { measureAlone, measureApart, measureBlock, measureInterleaved } from './measure-block.js';
import { laneFolder, measureAge, measureLanes } from './measure-lanes.js';
import { outcomeOf } from './pair-outcome.js';
import { sideNames } from './split.js';
import { writeCases } from './write-cases.js';

/** @import { Case, Lane } from '../../suite/cases/expand.js' */
/** @import { CaseContext, DuetContext } from './contexts.js' */
/** @import { PairedCase } from './pair-cases.js' */
/** @import { howPaired, PairOutcome } from './pair-outcome.js' */
/** @import { SideName } from './split.js' */
/** @import { FilesOfSides } from './write-cases.js' */

/**
 * Why a case cannot be measured on a side, null: it can; touched: a file of base that was changed while head was built
 * @typedef {Record<SideName, (benchCase: Case) => CaseFailure | null> & { touched?: string | null }} Prepared
 */

/**
 * Measures one case: its lanes of load, its blocks, until all are done or an interim look decides it, and its lane of age.
 * @param {PairedCase} pair
 * @param {Prepared} prepared
 * @param {DuetContext} duet
 * @returns {Promise<PairOutcome>}
 */
export async function measurePair(pair, prepared, duet) {
  const context = await openCase(pair, duet);
  if (prepared.touched) context.watch.found.crossed = `${prepared.touched} of base was changed while head was built`;
  if (pair.obstacle && !pair.alone) return outcomeOf(context, { base_reason: pair.obstacle });
  // There even where a side cannot be prepared: what was asked for is known.
  const measured = await writeSolo(context);
  try {
    refuseUnprepared(pair, prepared);
    if (!context.how.apart) refuseSharedCookies(pair.solo);
    if (pair.alone) {
      await measureHead(context, measured);
      return outcomeOf(context, { base_reason: pair.obstacle });
    }
    await measureLoadLanes(context);
    await measureBlocks(context, measured);
    await measureAgeLane(context);
    return outcomeOf(context);
  } catch (error) {
    return outcomeOfError(context, error);
  }
}

/**
 * @param {CaseContext} context
 * @param {unknown} error
 * @returns {Promise<PairOutcome>}
 * @throws {unknown} it is none of the case's
 */
async function outcomeOfError(context, error) {
  const { duet, pair, folder, done } = context;
  if (error instanceof Interrupted)
    return outcomeOf(context, { status: 'interrupted', reason: `interrupted after ${done} of ${duet.blocks} blocks` });
  if (!(error instanceof CaseFailure)) throw error;
  const { env, secrets } = duet.runs.head;
  const { reason, more } = await writeFailure(
    folder,
    error,
    sideNames.flatMap((side) => secretsOf(pair[side], env, secrets)),
  );
  // A head that works is not at fault for a base that does not.
  const end = error.side === 'base' ? { base_reason: reason } : { status: /** @type {const} */ ('error'), reason };
  return { ...outcomeOf(context, end), more };
}

/**
 * A head that cannot be built or set up has failed, whatever base does.
 * @param {PairedCase} pair
 * @param {Prepared} prepared
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

/** @param {CaseContext} context @returns {number} blocks that are before those of solo */
const laneBlocks = ({ pair, duet }) => (pair.lanes === null ? 0 : (duet.rule.lanes?.blocks ?? 0));

/**
 * Both sides under the scenario's own load, and asked for more than they can answer.
 * @param {CaseContext} context
 */
async function measureLoadLanes(context) {
  const { lanes } = context.pair;
  if (lanes === null) return;
  const measured = {
    load: await writeLane(context, 'load', lanes.load),
    saturation: await writeLane(context, 'saturation', lanes.saturation),
  };
  context.lanes = await measureLanes(context, { blocks: laneBlocks(context), measured, load: lanes.load.base });
}

/**
 * The blocks of one user, until an interim look decides.
 * @param {CaseContext} context
 * @param {FilesOfSides} measured
 */
async function measureBlocks(context, measured) {
  const { duet, folder } = context;
  const { progress } = duet.runs.head;
  for (let block = 1; block <= duet.blocks; block += 1) {
    progress.beginRound(laneBlocks(context) + block);
    await measureAs(context.how)(context, { block, measured });
    if (context.how.apart && block === 1) {
      const interleaved = await whyNotAtOnce(folder);
      context.how = { interleaved, apart: interleaved === null };
      if (interleaved !== null) await measureInterleaved(context, { block, measured }); // in place of it
    }
    progress.endRound();
    context.done = block;
    const ends = block < duet.blocks && duet.interimLooks.some((look) => look.blocks === block);
    if (ends && (await judgedSoFar(context)).decided) return;
  }
}

/**
 * Head alone, where base has no benchmark yet.
 * @param {CaseContext} context
 * @param {FilesOfSides} measured
 */
async function measureHead(context, measured) {
  const { blocks, runs } = context.duet;
  for (let block = 1; block <= Math.min(blocksAlone, blocks); block += 1) {
    runs.head.progress.beginRound(block);
    await measureAlone(context, 'head', { block, measured });
    runs.head.progress.endRound();
    context.done = block;
  }
}

/**
 * Both sides for as long as they live in the scenario. What has failed needs no more; a calibration has no interim looks, and
 * measures all.
 * @param {CaseContext} context
 */
async function measureAgeLane(context) {
  const { duet, pair, lanes } = context;
  if (!pair.lanes?.age || lanes === null || lanes.falls.length > 0) return;
  if (duet.interimLooks.length > 0 && (await judgedSoFar(context)).verdict === 'fail') return;
  const { progress } = duet.runs.head;
  progress.beginRound(laneBlocks(context) + duet.blocks + 1);
  context.lanes = await measureAge(context, await writeLane(context, 'age', pair.lanes.age), lanes);
  progress.endRound();
}

/**
 * Judges what was measured so far.
 * @param {CaseContext} context
 * @returns {Promise<{ verdict: string, decided?: boolean }>} decided: it needs no more blocks
 */
async function judgedSoFar(context) {
  const { duet, folder } = context;
  const outputs = { folder, run: null, root: duet.runs.head.root };
  const comparison = await judgeDuet([outcomeOf(context)], duet, outputs);
  return comparison.cases[0];
}

/** @param {CaseContext} context @returns {Promise<FilesOfSides>} of the case with one user */
function writeSolo(context) {
  const { pair, how } = context;
  const cases = how.apart ? apart(pair) : pair;
  return writeCases(context, { cases, ruler: pair.solo, folderOf: (side) => side });
}

/** @param {CaseContext} context @param {Lane} lane @param {Record<SideName, Case>} cases @returns {Promise<FilesOfSides>} */
const writeLane = (context, lane, cases) =>
  writeCases(context, { cases, ruler: cases.head, folderOf: (side) => laneFolder(lane, side) });

/** @param {PairedCase} pair @returns {Record<SideName, Case>} */
const apart = ({ base, head }) => ({ base: { ...base, apart: true }, head: { ...head, apart: true } });

/** @param {ReturnType<typeof howPaired>} how */
const measureAs = ({ interleaved, apart }) => (interleaved ? measureInterleaved : apart ? measureApart : measureBlock);

/**
 * Two k6 processes whose users do not pause take the CPU time from each other, and from the services.
 * @param {string} folder of the case, after its first block
 * @returns {Promise<string | null>} null: the machine carries both at once
 */
async function whyNotAtOnce(folder) {
  const record = await reduceRound(join(folder, 'head'), 1);
  const cores = record.metrics.machine_cpu_ratio_mean?.value ?? null;
  if (cores === null) return null;
  const busy = cores / (record.fingerprint.cores ?? 1);
  return busy <= limits.lanes_busy_ratio
    ? null
    : `both at once kept ${Math.round(100 * busy)} % of this machine's CPU time busy`;
}
