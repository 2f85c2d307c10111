import { join } from 'node:path';
import { CaseFailure, Interrupted } from '../../base/process/failure.js';
import { reduceRound } from '../../records/reduce-case.js';
import { blocksAlone } from '../../suite/cases/duet-settings.js';
import type { Case, Lane } from '../../suite/cases/expand.js';
import { limits } from '../../suite/cases/tables.js';
import { secretsOf } from '../services/secrets.js';
import { writeFailure } from '../session/write-failure.js';
import { type CaseContext, type DuetContext, openCase } from './contexts.js';
import { judgeDuet } from './judge-duet.js';
import { laneFolder } from './load-sides.js';
import { measureAlone, measureApart, measureBlock, measureInterleaved } from './measure-block.js';
import { endLanes, type LanesSoFar, measureAge } from './measure-lanes.js';
import type { PairedCase } from './pair-cases.js';
import { type howPaired, outcomeOf, type PairOutcome } from './pair-outcome.js';
import { type SideName, sideNames } from './split.js';
import { describeWarmUp, findWarmUp, wasCold } from './warm-up.js';
import { type FilesOfSides, writeCases } from './write-cases.js';

/** Why a case cannot be measured on a side, null: it can; touched: a file of base that was changed while head was built */
type Prepared = Record<SideName, (benchCase: Case) => CaseFailure | null> & { touched?: string | null };

/** Measures one case: its blocks, until all are done or an interim look decides it, and its lane of age. */
export async function measurePair(pair: PairedCase, prepared: Prepared, duet: DuetContext): Promise<PairOutcome> {
  const context = await openCase(pair, duet);
  if (prepared.touched) context.watch.found.crossed = `${prepared.touched} of base was changed while head was built`;
  if (pair.obstacle && !pair.alone) return outcomeOf(context, { base_reason: pair.obstacle });
  // There even where a side cannot be prepared: it says what was asked for.
  const measured = await writeSolo(context);
  try {
    refuseUnprepared(pair, prepared);
    if (!context.how.apart) refuseSharedCookies(pair.solo);
    if (pair.alone) {
      await measureHead(context, measured);
      return outcomeOf(context, { base_reason: pair.obstacle });
    }
    await measureBlocks(context, measured);
    await measureAgeLane(context);
    return outcomeOf(context);
  } catch (error) {
    return outcomeOfError(context, error);
  }
}

/** @throws {unknown} it is none of the case's */
async function outcomeOfError(context: CaseContext, error: unknown): Promise<PairOutcome> {
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
  const end = error.side === 'base' ? { base_reason: reason } : { status: 'error' as const, reason };
  return { ...(await outcomeOf(context, end)), more };
}

/**
 * A head that cannot be built or set up has failed, whatever base does.
 * @throws {CaseFailure}
 */
function refuseUnprepared(pair: PairedCase, prepared: Prepared) {
  for (const side of (pair.alone ? ['head'] : ['head', 'base']) as SideName[]) {
    const failure = prepared[side](pair[side]);
    if (failure) throw failure.of(side);
  }
}

/**
 * Two sides of one host would share a user's cookies, which are of a host whatever its port.
 * @throws {CaseFailure}
 */
function refuseSharedCookies({ scenario, environment, cookies, interleaved }: Case) {
  if (cookies !== 'user' || interleaved !== null) return;
  throw new CaseFailure(`scenario ${scenario} keeps cookies for good (cookies = "user"): two sides would share them`, {
    hint: `Measure one after the other: duet = { concurrent = false, reason = "cookies" } in environment ${environment}.`,
  });
}

/** @returns null: the pair has none */
async function beginLanes(context: CaseContext): Promise<LanesSoFar | null> {
  const { lanes, solo } = context.pair;
  if (lanes === null) return null;
  const measured = {
    load: await writeLane(context, 'load', lanes.load),
    saturation: await writeLane(context, 'saturation', lanes.saturation),
  };
  return { measured, interleaved: solo.interleaved, falls: [], over: false, aged: false };
}

/**
 * Measures the blocks, of one user and then under load, until an interim look decides, or the next one would come too late.
 */
async function measureBlocks(context: CaseContext, measured: FilesOfSides) {
  const { duet, folder } = context;
  const { progress } = duet.runs.head;
  const age_s = context.pair.lanes?.age?.head.duration_s ?? 0;
  const began = performance.now();
  context.lanes = await beginLanes(context);
  let before_s = 0;
  for (let block = 1; block <= duet.blocks; block += 1) {
    progress.beginRound(block);
    await measureWhole(context, { block, measured });
    if (context.how.apart && block === 1) {
      const interleaved = await whyNotAtOnce(folder);
      context.how = { interleaved, apart: interleaved === null };
      if (interleaved !== null) {
        context.lanes = await beginLanes(context);
        await measureWhole(context, { block, measured }); // in place of it
      }
    }
    if (block === 1 && (await wasCold(context)) && (await beginWarmUp(context))) {
      before_s = (performance.now() - began) / 1000;
      await measureWhole(context, { block, measured }); // in place of it
    }
    progress.endRound();
    context.done = block;
    const next = duet.interimLooks.find((look) => look.blocks > block);
    if (next === undefined || !duet.interimLooks.some((look) => look.blocks === block)) continue;
    const seconds = (performance.now() - began) / 1000;
    const then_s = before_s + ((seconds - before_s) * next.blocks) / block + age_s;
    context.over_budget = then_s > duet.budget_s;
    if (context.over_budget || (await judgedSoFar(context)).decided) return;
  }
}

/** Measures a block; once more, without a warm-up, where a service ended in that. */
async function measureWhole(context: CaseContext, of: { block: number; measured: FilesOfSides }) {
  const measure = measureAs(context.how);
  if (!(await measure(context, of))) {
    endLanes(context);
    context.warmUp = null;
    await measure(context, of);
  }
  endLanes(context);
}

/**
 * Finds how both sides are warmed up before each block.
 * @returns they are
 */
async function beginWarmUp(context: CaseContext): Promise<boolean> {
  const { system, environment, name } = context.pair.solo;
  const label = `${system}/${environment}/${name}`;
  const title = `${label}: finding out how many iterations warm both sides up`;
  const { progress } = context.duet.runs.head;
  const { warmUp, falls } = await progress.step(title, join(context.folder, 'warm-up'), () => findWarmUp(context));
  if (warmUp) progress.note(`${label}: ${describeWarmUp(warmUp)}`);
  context.warmUp = warmUp;
  context.lanes?.falls.push(...falls);
  endLanes(context);
  return Boolean(warmUp?.files);
}

/** Head alone, where base has no benchmark yet. */
async function measureHead(context: CaseContext, measured: FilesOfSides) {
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
 */
async function measureAgeLane(context: CaseContext) {
  const { duet, pair, lanes } = context;
  if (!pair.lanes?.age || lanes === null || lanes.falls.length > 0) return;
  if (duet.interimLooks.length > 0 && (await judgedSoFar(context)).verdict === 'fail') return;
  const { progress } = duet.runs.head;
  progress.beginRound(duet.blocks + 1);
  await measureAge(context, lanes, await writeLane(context, 'age', pair.lanes.age));
  progress.endRound();
}

/**
 * Judges what was measured so far.
 * @returns decided: it needs no more blocks
 */
async function judgedSoFar(context: CaseContext): Promise<{ verdict: string; decided?: boolean }> {
  const { duet, folder } = context;
  const outputs = { folder, run: null, root: duet.runs.head.root };
  const comparison = await judgeDuet([await outcomeOf(context)], duet, outputs);
  return comparison.cases[0];
}

/** @returns of the case with one user */
function writeSolo(context: CaseContext): Promise<FilesOfSides> {
  const { pair, how } = context;
  const cases = how.apart ? apart(pair) : pair;
  return writeCases(context, { cases, ruler: pair.solo, folderOf: (side) => side });
}

const writeLane = (context: CaseContext, lane: Lane, cases: Record<SideName, Case>): Promise<FilesOfSides> =>
  writeCases(context, { cases, ruler: cases.head, folderOf: (side) => laneFolder(lane, side) });

const apart = ({ base, head }: PairedCase): Record<SideName, Case> => ({
  base: { ...base, apart: true },
  head: { ...head, apart: true },
});

const measureAs = ({ interleaved, apart }: ReturnType<typeof howPaired>) =>
  interleaved ? measureInterleaved : apart ? measureApart : measureBlock;

/**
 * Two k6 processes whose users do not pause take the CPU time from each other, and from the services.
 * @param folder of the case, after its first block
 * @returns null: the machine carries both at once
 */
async function whyNotAtOnce(folder: string): Promise<string | null> {
  const record = await reduceRound(join(folder, 'head'), 1);
  const cores = record.metrics.machine_cpu_ratio_mean?.value ?? null;
  if (cores === null) return null;
  const busy = cores / (record.fingerprint.cores ?? 1);
  return busy <= limits.lanes_busy_ratio
    ? null
    : `both at once kept ${Math.round(100 * busy)} % of this machine's CPU time busy`;
}
