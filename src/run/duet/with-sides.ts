import { join } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import { CaseFailure } from '../../base/process/failure.js';
import { type Services, startServices } from '../services/services.js';
import type { CaseContext } from './contexts.js';
import type { SideName } from './split.js';

/** A side that is up. */
export type Target = { side: SideName; services: Services };

/**
 * Starts sides, does something with them while they are watched, and ends them.
 * @param sides in the order in which they begin to start
 * @param placeOf where the files of a side go
 * @param work up: in that order
 * @throws {CaseFailure | Interrupted} a side cannot be started: head's failure comes first
 */
export async function withSides<T>(
  sides: readonly SideName[],
  context: CaseContext,
  placeOf: (side: SideName) => string,
  work: (up: Target[]) => Promise<T>,
): Promise<T> {
  const up = await startSides(sides, context, placeOf);
  const endWatch = context.watch.together(up);
  try {
    return await work(up);
  } finally {
    endWatch();
    await Promise.all(up.map(({ services }) => services.stop()));
  }
}

/**
 * Starts the services of sides at the same time: most of a start is waiting.
 * @returns all of them
 * @throws {CaseFailure | Interrupted} then none is left
 */
async function startSides(
  sides: readonly SideName[],
  context: CaseContext,
  placeOf: (side: SideName) => string,
): Promise<Target[]> {
  const ends = await Promise.allSettled(sides.map((side) => startSide(side, context, placeOf(side))));
  const up = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  if (up.length === sides.length) return up;
  await Promise.all(up.map(({ services }) => services.stop()));
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  throw failures.find((error) => error instanceof CaseFailure && error.side === 'head') ?? failures[0];
}

async function startSide(side: SideName, { duet, pair, watch }: CaseContext, blockFolder: string): Promise<Target> {
  try {
    const began = performance.now();
    const services = await startServices(pair[side], makeFolder(join(blockFolder, side)), duet.runs[side]);
    try {
      await watch.started(side, services, (performance.now() - began) / 1000);
    } catch (error) {
      await services.stop();
      throw error;
    }
    return { side, services };
  } catch (error) {
    throw error instanceof CaseFailure ? error.of(side) : error;
  }
}
