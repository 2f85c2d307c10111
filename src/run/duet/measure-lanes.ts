import { join } from 'node:path';
import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import { makeFolder } from '../../base/io/files.js';
import { CaseFailure, RequestFailure } from '../../base/process/failure.js';
import { recordFile, reduceRound } from '../../records/reduce-case.js';
import { mostIterations } from '../../suite/cases/cases.js';
import type { Case, Lane } from '../../suite/cases/expand.js';
import { limits } from '../../suite/cases/tables.js';
import type { CaseFile } from '../generator/k6.js';
import { measureLoad } from '../measure/measure-load.js';
import type { Run } from '../run-context.js';
import type { Services } from '../services/services.js';
import { shuffled } from '../session/random-order.js';
import type { CaseContext } from './contexts.js';
import { type SideName, sideNames } from './split.js';
import { type Target, withSides } from './with-sides.js';
import type { FilesOfSides } from './write-cases.js';

/**
 * The lanes of a case beside solo: the load lane and the saturation probe, which follow the solo lane in each block, and the age
 * lane, for which both sides are started once. Each side has a k6 process of its own: one that sent every iteration to both would
 * hold up the faster side by the slower, and hide it.
 * null: there is no block
 */
type RecordFiles = Record<SideName, string | null>;

/** A service ended under that load. */
type Fall = { lane: Lane; side: SideName; reason: string };

/**
 * The lanes of a case so far. measured: case.json of each side; interleaved: why the sides are not loaded at the same time;
 * fell_in: the block in which a service ended, the last of them; aged: the age lane is measured
 */
export type LanesSoFar = {
  measured: Record<'load' | 'saturation', FilesOfSides>;
  interleaved: string | null;
  falls: Fall[];
  fell_in: number | null;
  aged: boolean;
};

/** age_follows: the age lane is to be measured yet */
export type LanesOutcome = Pick<LanesSoFar, 'interleaved' | 'falls'> & {
  load: RecordFiles;
  saturation: RecordFiles;
  age?: RecordFiles;
  age_follows?: true;
};

/**
 * Measures a block of the lanes on sides that the solo lane has just left: the probe, then the scenario's own load, on both at the
 * same time: what disturbs one side disturbs the other. The load is that of one side after the other where the machine does not
 * carry it twice. Nothing after the block in which a service has ended: one whose sides are measured one after the other has
 * both, so that a base that ends too is seen.
 * @throws {CaseFailure | Interrupted}
 */
export async function measureLanes(context: CaseContext, targets: Target[], block: number) {
  const { pair, lanes, folder, how } = context;
  if (lanes === null || pair.lanes === null || (lanes.fell_in !== null && lanes.fell_in !== block)) return;
  const { measured } = lanes;
  const falls = await loadTargets(context, targets, { lane: 'saturation', files: measured.saturation, block });
  if (falls.length > 0) {
    addFalls(lanes, falls, block);
    return;
  }
  lanes.interleaved ??= how.interleaved;
  if (block === 1 && lanes.interleaved === null) {
    // What the first probe took of the machine tells whether it carries the load twice.
    const probe = await reduceRound(join(folder, laneFolder('saturation', 'base')), block);
    lanes.interleaved = whyInterleaved(probe, pair.lanes.load.base);
  }
  const load = { lane: 'load' as const, files: measured.load, block };
  addFalls(lanes, await (lanes.interleaved === null ? loadTargets : loadInTurn)(context, targets, load), block);
}

function addFalls(lanes: LanesSoFar, falls: Fall[], block: number) {
  if (falls.length === 0) return;
  lanes.falls.push(...falls);
  lanes.fell_in = block;
}

/**
 * Measures the age lane, after the others.
 * @throws {CaseFailure | Interrupted}
 */
export async function measureAge(context: CaseContext, lanes: LanesSoFar, files: FilesOfSides) {
  const blockFolder = makeFolder(join(context.folder, 'age-block'));
  // A side that waits for the other would be older than it.
  const atOnce = lanes.interleaved === null;
  lanes.falls = await onSides(context, blockFolder, atOnce, (targets) =>
    loadTargets(context, targets, { lane: 'age', files, block: 1 }),
  );
  lanes.aged = true;
}

/** @returns null: they are not measured */
export async function lanesOutcome({ pair, folder, lanes }: CaseContext): Promise<LanesOutcome | null> {
  if (lanes === null) return null;
  const { interleaved, falls, aged } = lanes;
  const [load, saturation, age] = await Promise.all([
    recordsOf('load', folder),
    recordsOf('saturation', folder),
    aged ? recordsOf('age', folder) : null,
  ]);
  const rest = age ? { age } : pair.lanes?.age && { age_follows: true as const };
  return { load, saturation, ...rest, interleaved, falls };
}

/** @param folder the case's */
async function recordsOf(lane: Lane, folder: string): Promise<RecordFiles> {
  const [base, head] = await Promise.all(sideNames.map((side) => recordFile(join(folder, laneFolder(lane, side)))));
  return { base, head };
}

/**
 * @param probe of base
 * @returns null: the machine carries the load of both sides at the same time
 */
function whyInterleaved(probe: BenchRecord | null, load: Case): string | null {
  const value = (name: string) => probe?.metrics[name]?.value ?? null;
  const [services, generator, iterations] = ['cpu_ratio_mean', 'generator_cpu_ratio_mean', 'iterations_rps'].map(value);
  if (services === null || generator === null || !iterations) return 'what the load needs of the machine is not known';
  const cores = probe?.fingerprint.cores ?? 1;
  const needed = (2 * mostIterations(load) * (services + generator)) / iterations / cores;
  if (needed <= limits.lanes_busy_ratio) return null;
  return Number.isFinite(needed)
    ? `both at once would need ${Math.round(100 * needed)} % of this machine's CPU time`
    : 'users without pauses would take the CPU time from each other';
}

/**
 * Starts both sides, does something with them, and ends them.
 * @param atOnce both are up at the same time, else one after the other
 */
async function onSides(
  context: CaseContext,
  blockFolder: string,
  atOnce: boolean,
  load: (targets: Target[]) => Promise<Fall[]>,
): Promise<Fall[]> {
  const onThese = (sides: SideName[]) => withSides(sides, context, () => blockFolder, load);
  const order = shuffled(sideNames, context.duet.random);
  if (atOnce) return onThese(order);
  return [...(await onThese(order.slice(0, 1))), ...(await onThese(order.slice(1)))];
}

/** files: case.json of each side */
type LaneBlock = { lane: Lane; files: FilesOfSides; block: number };

/**
 * Puts the load of a lane on one side after the other.
 * @param targets sides that are up
 * @returns sides whose services ended
 */
async function loadInTurn(context: CaseContext, targets: Target[], of: LaneBlock): Promise<Fall[]> {
  const falls = [];
  for (const target of targets) falls.push(...(await loadTargets(context, [target], of)));
  return falls;
}

/**
 * Puts the load of a lane on sides at the same time.
 * @param targets sides that are up
 * @returns sides whose services ended
 */
async function loadTargets(
  { duet, folder, cores }: CaseContext,
  targets: Target[],
  { lane, files, block }: LaneBlock,
): Promise<Fall[]> {
  const { head } = duet.runs;
  const run = { ...head, memory_bytes: head.memory_bytes / targets.length };
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
 * @returns null: it was measured; else why a service ended
 * @throws {CaseFailure | Interrupted} it failed through no fault of a service
 */
async function measureSide(
  measured: CaseFile,
  { folder, services, side, cores }: { folder: string; services: Services; side: SideName; cores: string | null },
  run: Run,
): Promise<{ side: SideName; reason: string } | null> {
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
 * @returns in the case's folder
 */
export const laneFolder = (lane: Lane, side: SideName): string => join(lane, side);
