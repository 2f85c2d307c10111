import { join } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import type { Running } from '../../base/process/command.js';
import { CaseFailure } from '../../base/process/failure.js';
import { measureLoad } from '../measure/measure-load.js';
import type { Run } from '../run-context.js';
import { type Services, startServices } from '../services/services.js';
import { shuffled } from '../session/random-order.js';
import type { BlockHelpers } from './block-helpers.js';
import type { CaseContext } from './contexts.js';
import { type SideName, sideNames, splitBlock } from './split.js';
import type { FilesOfSides } from './write-cases.js';

/** Its number, from 1; measured: the case, as each side has it */
type Block = { block: number; measured: FilesOfSides };

/** A side that is up. */
export type Target = { side: SideName; services: Services };

/** A block is of one part, whatever its number: its files become those of a round of each side. */
const which = { round: 1, part: 1, parts: 1 };

/**
 * Measures one block: both sides started afresh, in random order and on random ports, one k6 process that sends every
 * iteration to both, both ended.
 * @throws {CaseFailure | Interrupted} then the block does not count
 */
export async function measureBlock(context: CaseContext, { block, measured }: Block) {
  const { duet, folder, cores, helpers } = context;
  const run = duet.runs.head;
  const blockFolder = makeFolder(join(folder, `block-${block}`));
  await withSides(
    shuffled(sideNames, duet.random),
    context,
    () => blockFolder,
    async (up) => {
      const targets = sideNames.flatMap((name) => up.filter(({ side }) => side === name)); // base's address comes first
      await whileHelped(helpers, { up, folder: blockFolder, run }, (besides) =>
        measureLoad(measured.head, { which, folder: blockFolder, targets, cores, besides }, run),
      );
    },
  );
  await splitBlock(blockFolder, { base: roundOf(folder, 'base', block), head: roundOf(folder, 'head', block) });
}

/**
 * Measures one block of a system of which two copies cannot run concurrently: one side after the other, in random order,
 * each alone.
 * @throws {CaseFailure | Interrupted} then the block does not count
 */
export async function measureInterleaved(context: CaseContext, of: Block) {
  for (const side of shuffled(sideNames, context.duet.random)) await measureAlone(context, side, of);
}

/**
 * Measures one block of one side, which has the machine to itself.
 * @throws {CaseFailure | Interrupted} then the block does not count
 */
export async function measureAlone(context: CaseContext, side: SideName, { block, measured }: Block) {
  const { duet, folder, cores } = context;
  const blockFolder = makeFolder(join(folder, `block-${block}`, `${side}-alone`));
  await withSides(
    [side],
    context,
    () => blockFolder,
    (targets) => measureLoad(measured[side], { which, folder: blockFolder, targets, cores }, duet.runs.head),
  );
  await splitBlock(blockFolder, { [side]: roundOf(folder, side, block) });
}

/**
 * Measures one block of a script that knows nothing of two sides, whose state and variables are of one: both sides at the same
 * time, a k6 process for each.
 * @throws {CaseFailure | Interrupted} then the block does not count
 */
export async function measureApart(context: CaseContext, { block, measured }: Block) {
  const { duet, folder, cores, helpers } = context;
  const blockFolder = (side: SideName) => makeFolder(join(folder, `block-${block}`, `${side}-alone`));
  const run = { ...duet.runs.head, memory_bytes: duet.runs.head.memory_bytes / 2 };
  await withSides(shuffled(sideNames, duet.random), context, blockFolder, async (up) => {
    const ends = await whileHelped(helpers, { up, folder: join(folder, `block-${block}`), run }, (besides) =>
      Promise.allSettled(
        up.map((target) =>
          measureLoad(
            measured[target.side],
            { which, folder: blockFolder(target.side), targets: [target], cores, besides },
            run,
          ),
        ),
      ),
    );
    for (const [i, end] of ends.entries()) if (end.status === 'rejected') throw ofSide(end.reason, up[i].side);
  });
  for (const side of sideNames) await splitBlock(blockFolder(side), { [side]: roundOf(folder, side, block) });
}

async function whileHelped<T>(
  helpers: BlockHelpers,
  { up, folder, run }: { up: readonly Target[]; folder: string; run: Run },
  measure: (besides: Running[]) => Promise<T>,
) {
  const { running, end } = await helpers.begin(up, folder, run);
  try {
    return await measure(running);
  } finally {
    await end();
  }
}

/** What a script throws, and what is answered, is of the side that it was sent to. */
const ofSide = (error: unknown, side: SideName) => (error instanceof CaseFailure ? error.of(side) : error);

const roundOf = (folder: string, side: SideName, block: number) => join(folder, side, `round-${block}`);

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
