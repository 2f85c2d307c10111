import { join } from 'node:path';
import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import { makeFolder } from '../../base/io/files.js';
import { recordFile, reduceRound } from '../../records/reduce-case.js';
import { mostIterations } from '../../suite/cases/cases.js';
import type { Case, Lane } from '../../suite/cases/expand.js';
import { limits } from '../../suite/cases/tables.js';
import type { CaseContext } from './contexts.js';
import { type Fall, laneFolder, loadInTurn, loadTargets, onSides } from './load-sides.js';
import { type SideName, sideNames } from './split.js';
import { measureAfterLanes, type WarmUp, warm } from './warm-up.js';
import type { Target } from './with-sides.js';
import type { FilesOfSides } from './write-cases.js';

/**
 * The lanes of a case beside solo: the load lane and the saturation probe, which follow the solo lane in each block, and the age
 * lane, for which both sides are started once. Each side has a k6 process of its own: one that sent every iteration to both would
 * hold up the faster side by the slower, and hide it.
 * null: there is no block
 */
type RecordFiles = Record<SideName, string | null>;

/**
 * The lanes of a case so far. measured: case.json of each side; interleaved: why the sides are not loaded at the same time;
 * over: a service has ended, so that the next block has no lanes; aged: the age lane is measured
 */
export type LanesSoFar = {
  measured: Record<'load' | 'saturation', FilesOfSides>;
  interleaved: string | null;
  falls: Fall[];
  over: boolean;
  aged: boolean;
};

/** age_follows: the age lane is to be measured yet; warm_up: null: one user alone warms a side up */
export type LanesOutcome = Pick<LanesSoFar, 'interleaved' | 'falls'> & {
  load: RecordFiles;
  saturation: RecordFiles;
  age?: RecordFiles;
  age_follows?: true;
  warm_up: Omit<WarmUp, 'files'> | null;
};

/**
 * Measures a block of the lanes on sides that the solo lane has just left: the probe, then the scenario's own load, on both at the
 * same time: what disturbs one side disturbs the other. The load is that of one side after the other where the machine does not
 * carry it twice.
 * @throws {CaseFailure | Interrupted}
 */
export async function measureLanes(context: CaseContext, targets: Target[], block: number) {
  const { pair, lanes, folder, how } = context;
  if (lanes === null || pair.lanes === null || lanes.over) return;
  const { measured } = lanes;
  const falls = await loadTargets(context, targets, { lane: 'saturation', files: measured.saturation, block });
  if (falls.length > 0) {
    lanes.falls.push(...falls);
    return;
  }
  lanes.interleaved ??= how.interleaved;
  if (block === 1 && lanes.interleaved === null) {
    // What the first probe took of the machine tells whether it carries the load twice.
    const probe = await reduceRound(join(folder, laneFolder('saturation', 'base')), block);
    lanes.interleaved = whyInterleaved(probe, pair.lanes.load.base);
  }
  const load = { lane: 'load' as const, files: measured.load, block };
  lanes.falls.push(...(await (lanes.interleaved === null ? loadTargets : loadInTurn)(context, targets, load)));
  if (block === 1 && lanes.falls.length === 0) lanes.falls.push(...(await measureAfterLanes(context, targets)));
}

/**
 * Ends a block of the lanes. There is none after one in which a service has ended: a block whose sides are measured one after the
 * other has both, so that a base that ends too is seen.
 */
export function endLanes({ lanes }: CaseContext) {
  if (lanes !== null) lanes.over = lanes.falls.length > 0;
}

/**
 * Measures the age lane, after the others.
 * @throws {CaseFailure | Interrupted}
 */
export async function measureAge(context: CaseContext, lanes: LanesSoFar, files: FilesOfSides) {
  const blockFolder = makeFolder(join(context.folder, 'age-block'));
  // A side that waits for the other would be older than it.
  const atOnce = lanes.interleaved === null;
  lanes.falls = await onSides(context, blockFolder, atOnce, async (targets) => {
    const falls = await warm(context, targets, context.duet.blocks + 1);
    return falls.length > 0 ? falls : loadTargets(context, targets, { lane: 'age', files, block: 1 });
  });
  lanes.aged = true;
}

/** @returns null: they are not measured */
export async function lanesOutcome({ pair, folder, lanes, warmUp }: CaseContext): Promise<LanesOutcome | null> {
  if (lanes === null) return null;
  const { interleaved, falls, aged } = lanes;
  const [load, saturation, age] = await Promise.all([
    recordsOf('load', folder),
    recordsOf('saturation', folder),
    aged ? recordsOf('age', folder) : null,
  ]);
  const rest = age ? { age } : pair.lanes?.age && { age_follows: true as const };
  const { files: _, ...warm_up } = warmUp ?? {};
  return { load, saturation, ...rest, warm_up: warmUp && (warm_up as Omit<WarmUp, 'files'>), interleaved, falls };
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
