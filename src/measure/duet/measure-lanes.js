import { join } from 'node:path';
import { makeFolder } from '../../io/files.js';
import { CaseFailure, RequestFailure } from '../../process/failure.js';
import { recordFile, reduceCase } from '../../records/reduce-case.js';
import { shuffled } from '../../session/random-order.js';
import { mostIterations } from '../../spec/index.js';
import { measureLoad } from '../measure-load.js';
import { startSides } from './measure-block.js';
import { sideNames } from './split.js';

/**
 * The load lane and the saturation probe of a case: both sides started afresh in each block, and one k6 process for each
 * side. One that sent every iteration to both would hold up the faster side by the slower, and hide it.
 *
 * @typedef {import('../../spec/expand.js').Lane} Lane
 * @typedef {import('./split.js').SideName} SideName
 * @typedef {import('./measure-block.js').Target} Target
 * @typedef {import('../../services/services.js').Services} Services
 * @typedef {import('../case-file.js').CaseFile} CaseFile
 * @typedef {import('../../../reports/schema/types.d.ts').BenchRecord} BenchRecord
 * @typedef {Record<Lane, Record<SideName, CaseFile>>} LaneFiles
 * @typedef {{ lane: Lane, side: SideName, reason: string }} Fall a service ended under that load
 * @typedef {Record<Lane, Record<SideName, string | null>> & { interleaved: string | null, falls: Fall[] }} LanesOutcome
 *   by lane: the records' files, null where there is no block; interleaved: why the sides were not loaded at the same time
 * @typedef {{ folder: string, measured: LaneFiles, runs: Record<SideName, import('../../run-context.js').Run>,
 *   cores: string | null, random: () => number, started: (side: SideName, services: Services) => Promise<void> }} LanesContext
 *   as in a block of the solo lane
 */

/** @type {readonly Lane[]} */
const laneNames = ['saturation', 'load'];

/** Of the machine's cores, the share that both sides and their generators may need together to be loaded at once. */
export const mostBusy = 0.7;

/**
 * Measures the blocks of both lanes.
 * @param {import('./pair-cases.js').PairedCase & { lanes: import('./pair-cases.js').Lanes }} pair
 * @param {LanesContext & { blocks: number, reports: string }} context reports: the folder whose programs reduce
 * @param {Pick<import('../../run-context.js').Progress, 'beginRound' | 'endRound'>} progress
 * @returns {Promise<LanesOutcome>}
 * @throws {CaseFailure | import('../../process/failure.js').Interrupted}
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
  /** @type {any} */
  const files = {};
  for (const lane of laneNames) {
    files[lane] = {};
    for (const side of sideNames)
      files[lane][side] = await recordFile(join(context.folder, laneFolder(lane, side)), { reports });
  }
  return { ...files, interleaved, falls };
}

/**
 * @param {BenchRecord | null} probe of base
 * @param {import('../../spec/index.js').Case} load
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
 * @param {import('./pair-cases.js').PairedCase} pair
 * @param {LanesContext & { block: number, choose: () => Promise<boolean> }} context choose: after the probe, whether the
 *   machine carries the load twice
 * @returns {Promise<Fall[]>} sides whose services ended: then the block ends too
 */
async function measureBlock(pair, { block, folder, measured, runs, cores, random, started, choose }) {
  const place = makeFolder(join(folder, `load-block-${block}`));
  /** @param {Lane} lane @param {Target[]} targets those that are loaded at the same time */
  const load = async (lane, targets) => {
    const run = { ...runs.head, memory_bytes: runs.head.memory_bytes / targets.length };
    const ends = await Promise.allSettled(
      targets.map(({ side, services }) => {
        const own = join(folder, laneFolder(lane, side), `round-${block}`);
        return measureSide(measured[lane][side], { folder: own, services, side, cores }, run);
      }),
    );
    return ends.flatMap((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value === null ? [] : [{ lane, ...end.value }];
    });
  };
  /** @param {SideName[]} sides that are up at the same time */
  const measure = async (sides) => {
    const up = await startSides(sides, pair, () => place, { runs, started });
    try {
      const falls = await load('saturation', up);
      if (falls.length > 0) return falls;
      if (await choose()) return await load('load', up);
      for (const target of up) falls.push(...(await load('load', [target])));
      return falls;
    } finally {
      await Promise.all(up.map(({ services }) => services.stop()));
    }
  };
  const order = shuffled(sideNames, random);
  if (pair.solo.interleaved === null) return measure(order);
  return [...(await measure(order.slice(0, 1))), ...(await measure(order.slice(1)))];
}

/**
 * Measures one side under its own load.
 * @param {CaseFile} measured
 * @param {{ folder: string, services: Services, side: SideName, cores: string | null }} given
 * @param {import('../../run-context.js').Run} run
 * @returns {Promise<{ side: SideName, reason: string } | null>} null: it was measured; else why a service ended
 * @throws {CaseFailure | import('../../process/failure.js').Interrupted} it failed through no fault of a service
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
