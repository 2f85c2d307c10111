import { join } from 'node:path';
import { mostIterations } from '../../cases/index.js';
import { makeFolder } from '../../io/files.js';
import { CaseFailure, RequestFailure } from '../../process/failure.js';
import { recordFile, reduceCase } from '../../records/reduce-case.js';
import { shuffled } from '../../session/random-order.js';
import { measureLoad } from '../measure-load.js';
import { withSides } from './measure-block.js';
import { sideNames } from './split.js';

/** @import { BenchRecord } from '../../../reports/schema/types.d.ts' */
/** @import { Case, Lane } from '../../cases/expand.js' */
/** @import { CaseFile } from '../../generator/k6.js' */
/** @import { Interrupted } from '../../process/failure.js' */
/** @import { Progress, Run } from '../../run-context.js' */
/** @import { Services } from '../../services/services.js' */
/** @import { Target } from './measure-block.js' */
/** @import { Lanes, PairedCase } from './pair-cases.js' */
/** @import { SideName } from './split.js' */
/** @import { SidesWatch } from './what-runs.js' */

/**
 * The lanes of a case beside solo: the load lane and the saturation probe, both sides started afresh in each block, and the age
 * lane, both started once. Each side has a k6 process of its own: one that sent every iteration to both would hold up the faster
 * side by the slower, and hide it.
 *
 * @typedef {Record<SideName, CaseFile>} FilesOfSides
 * @typedef {Record<SideName, string | null>} RecordFiles null: there is no block
 * @typedef {{ lane: Lane, side: SideName, reason: string }} Fall a service ended under that load
 * @typedef {{ load: RecordFiles, saturation: RecordFiles, age?: RecordFiles, interleaved: string | null, falls: Fall[] }} LanesOutcome
 *   interleaved: why the sides were not loaded at the same time
 * @typedef {{ folder: string, measured: Partial<Record<Lane, FilesOfSides>>, runs: Record<SideName, Run>,
 *   cores: string | null, random: () => number, watch: Pick<SidesWatch, 'started' | 'together'> }} LanesContext
 *   as in a block of the solo lane
 */

/** Of the machine's cores, the share that both sides and their generators may need together to be loaded at once. */
export const mostBusy = 0.7;

/**
 * Measures the blocks of the load lane and the saturation probe.
 * @param {PairedCase & { lanes: Lanes }} pair
 * @param {LanesContext & { blocks: number, reports: string }} context reports: the folder whose programs reduce
 * @param {Pick<Progress, 'beginRound' | 'endRound'>} progress
 * @returns {Promise<LanesOutcome>}
 * @throws {CaseFailure | Interrupted}
 */
export async function measureLanes(pair, { blocks, reports, ...context }, progress) {
  const recordOf = (/** @type {Lane} */ lane, /** @type {SideName} */ side) =>
    reduceCase(join(context.folder, laneFolder(lane, side)), { reports });
  let interleaved = pair.solo.interleaved;
  /** @type {Fall[]} */
  let falls = [];
  for (let block = 1; block <= blocks && falls.length === 0; block += 1) {
    progress.beginRound(block);
    // What the first probe took of the machine tells whether it carries the load twice.
    const choose = async () => {
      if (block === 1) interleaved ??= whyInterleaved(await recordOf('saturation', 'base'), pair.lanes.load.base);
      return interleaved === null;
    };
    falls = await measureBlock(pair, { ...context, block, choose });
    progress.endRound();
  }
  return {
    load: await recordsOf('load', context.folder, reports),
    saturation: await recordsOf('saturation', context.folder, reports),
    interleaved,
    falls,
  };
}

/**
 * Measures the age lane, after the others.
 * @param {PairedCase} pair
 * @param {LanesContext & { reports: string }} context
 * @param {LanesOutcome} others
 * @returns {Promise<LanesOutcome>} with it
 * @throws {CaseFailure | Interrupted}
 */
export async function measureAge(pair, { reports, ...context }, others) {
  const blockFolder = makeFolder(join(context.folder, 'age-block'));
  // A side that waits for the other would be older than it.
  const falls = await onSides(pair, blockFolder, { ...context, atOnce: others.interleaved === null }, (up) =>
    loadTargets('age', up, { ...context, block: 1 }, true),
  );
  return {
    ...others,
    age: await recordsOf('age', context.folder, reports),
    falls: [...others.falls, ...falls],
  };
}

/**
 * @param {Lane} lane
 * @param {string} folder the case's
 * @param {string} reports
 * @returns {Promise<RecordFiles>}
 */
async function recordsOf(lane, folder, reports) {
  const of = (/** @type {SideName} */ side) => recordFile(join(folder, laneFolder(lane, side)), { reports });
  return { base: await of('base'), head: await of('head') };
}

/**
 * @param {BenchRecord | null} probe of base
 * @param {Case} load
 * @returns {string | null} null: the machine carries the load of both sides at the same time
 */
function whyInterleaved(probe, load) {
  const value = (/** @type {string} */ name) => probe?.metrics[name]?.value ?? null;
  const [services, generator, iterations] = ['cpu_ratio_mean', 'generator_cpu_ratio_mean', 'iterations_rps'].map(value);
  if (services === null || generator === null || !iterations) return 'what the load needs of the machine is not known';
  const cores = probe?.fingerprint.cores ?? 1;
  const needed = (2 * mostIterations(load) * (services + generator)) / iterations / cores;
  if (needed <= mostBusy) return null;
  return Number.isFinite(needed)
    ? `both at once would need ${Math.round(100 * needed)} % of this machine's CPU time`
    : 'users without pauses would take the CPU time from each other';
}

/**
 * Measures one block: the probe, then the scenario's own load, on both sides at the same time: what disturbs one side
 * disturbs the other. The load is that of one side after the other where the machine does not carry it twice.
 * @param {PairedCase} pair
 * @param {LanesContext & { block: number, choose: () => Promise<boolean> }} context choose: after the probe, whether the
 *   machine carries the load twice
 * @returns {Promise<Fall[]>} sides whose services ended: then the block ends too
 */
function measureBlock(pair, { choose, ...context }) {
  const blockFolder = makeFolder(join(context.folder, `load-block-${context.block}`));
  return onSides(pair, blockFolder, { ...context, atOnce: pair.solo.interleaved === null }, async (up) => {
    const falls = await loadTargets('saturation', up, context, true);
    return falls.length > 0 ? falls : loadTargets('load', up, context, await choose());
  });
}

/**
 * Starts both sides, does something with them, and ends them.
 * @param {PairedCase} pair
 * @param {string} blockFolder of the block
 * @param {LanesContext & { atOnce: boolean }} context atOnce: both are up at the same time, else one after the other
 * @param {(up: Target[]) => Promise<Fall[]>} load
 * @returns {Promise<Fall[]>}
 */
async function onSides(pair, blockFolder, { runs, random, watch, atOnce }, load) {
  const onThese = (/** @type {SideName[]} */ sides) => withSides(sides, pair, () => blockFolder, { runs, watch }, load);
  const order = shuffled(sideNames, random);
  if (atOnce) return onThese(order);
  return [...(await onThese(order.slice(0, 1))), ...(await onThese(order.slice(1)))];
}

/**
 * Puts the load of a lane on sides that are up.
 * @param {Lane} lane
 * @param {Target[]} targets
 * @param {LanesContext & { block: number }} context
 * @param {boolean} atOnce else one after the other
 * @returns {Promise<Fall[]>} sides whose services ended
 */
async function loadTargets(lane, targets, context, atOnce) {
  if (!atOnce) {
    const falls = [];
    for (const target of targets) falls.push(...(await loadTargets(lane, [target], context, true)));
    return falls;
  }
  const { folder, measured, runs, cores, block } = context;
  const files = /** @type {FilesOfSides} */ (measured[lane]);
  const run = { ...runs.head, memory_bytes: runs.head.memory_bytes / targets.length };
  const ends = await Promise.allSettled(
    targets.map(({ side, services }) => {
      const own = join(folder, laneFolder(lane, side), `round-${block}`);
      return measureSide(files[side], { folder: own, services, side, cores }, run);
    }),
  );
  return ends.flatMap((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value === null ? [] : [{ lane, ...end.value }];
  });
}

/**
 * Measures one side under its own load.
 * @param {CaseFile} measured
 * @param {{ folder: string, services: Services, side: SideName, cores: string | null }} given
 * @param {Run} run
 * @returns {Promise<{ side: SideName, reason: string } | null>} null: it was measured; else why a service ended
 * @throws {CaseFailure | Interrupted} it failed through no fault of a service
 */
async function measureSide(measured, { folder, services, side, cores }, run) {
  const which = { round: 1, part: 1, parts: 1 };
  try {
    const targets = [{ side: null, services }];
    await measureLoad(measured, { which, folder: makeFolder(folder), targets, cores }, run);
    return null;
  } catch (error) {
    if (!(error instanceof CaseFailure)) throw error;
    if (error instanceof RequestFailure) throw error.of(side);
    if (services.failure() === null || run.interrupt.asked) throw error; // of k6, and of no side
    return { side, reason: error.message };
  }
}

/**
 * Where a side's rounds of a lane are, and its case.json.
 * @param {Lane} lane
 * @param {SideName} side
 * @returns {string} in the case's folder
 */
export const laneFolder = (lane, side) => join(lane, side);
