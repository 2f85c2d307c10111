// The load of a lane, on sides that are up.
import { join } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import { CaseFailure, RequestFailure } from '../../base/process/failure.js';
import type { Lane } from '../../suite/cases/expand.js';
import type { CaseFile } from '../generator/k6.js';
import { measureLoad } from '../measure/measure-load.js';
import type { Run } from '../run-context.js';
import type { Services } from '../services/services.js';
import { shuffled } from '../session/random-order.js';
import type { CaseContext } from './contexts.js';
import { type SideName, sideNames } from './split.js';
import { type Target, withSides } from './with-sides.js';
import type { FilesOfSides } from './write-cases.js';

/** A service ended under that load. */
export type Fall = { lane: Lane; side: SideName; reason: string };

/**
 * Starts both sides, does something with them, and ends them.
 * @param atOnce both are up at the same time, else one after the other
 */
export async function onSides(
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

/** files: case.json of each side; folder: in the case's, the lane's where it is not said */
type LaneBlock = { lane: Lane; folder?: string; files: FilesOfSides; block: number };

/**
 * Puts the load of a lane on one side after the other.
 * @param targets sides that are up
 * @returns sides whose services ended
 */
export async function loadInTurn(context: CaseContext, targets: Target[], of: LaneBlock): Promise<Fall[]> {
  const falls = [];
  for (const target of targets) falls.push(...(await loadTargets(context, [target], of)));
  return falls;
}

/**
 * Puts the load of a lane on sides at the same time.
 * @param targets sides that are up
 * @returns sides whose services ended
 */
export async function loadTargets(
  { duet, folder, cores }: CaseContext,
  targets: Target[],
  { lane, folder: place = lane, files, block }: LaneBlock,
): Promise<Fall[]> {
  const { head } = duet.runs;
  const run = { ...head, memory_bytes: head.memory_bytes / targets.length };
  const ends = await Promise.allSettled(
    targets.map(({ side, services }) => {
      const own = join(folder, place, side, `round-${block}`);
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
