import { join } from 'node:path';
import { makeFolder } from '../../base/io/files.js';
import type { Running } from '../../base/process/command.js';
import { CaseFailure } from '../../base/process/failure.js';
import { measureLoad } from '../measure/measure-load.js';
import type { Run } from '../run-context.js';
import { shuffled } from '../session/random-order.js';
import type { BlockHelpers } from './block-helpers.js';
import type { CaseContext } from './contexts.js';
import { measureLanes } from './measure-lanes.js';
import { type SideName, sideNames, splitBlock } from './split.js';
import { warm } from './warm-up.js';
import { type Target, withSides } from './with-sides.js';
import type { FilesOfSides } from './write-cases.js';

/** Its number, from 1; measured: the case, as each side has it */
type Block = { block: number; measured: FilesOfSides };

/** A block is of one part, whatever its number: its files become those of a round of each side. */
const which = { round: 1, part: 1, parts: 1 };

/**
 * Measures one block: both sides started afresh, in random order and on random ports, and warmed up, one k6 process that sends
 * every iteration to both, then the lanes of load, both ended.
 * @returns false: a service ended while it was warmed up, and nothing was measured
 * @throws {CaseFailure | Interrupted} then the block does not count
 */
export async function measureBlock(context: CaseContext, { block, measured }: Block) {
  const { duet, folder, cores, helpers } = context;
  const run = duet.runs.head;
  const blockFolder = makeFolder(join(folder, `block-${block}`));
  const isWhole = await withSides(
    shuffled(sideNames, duet.random),
    context,
    () => blockFolder,
    async (up) => {
      if (!(await warmUp(context, up, block))) return false;
      const targets = sideNames.flatMap((name) => up.filter(({ side }) => side === name)); // base's address comes first
      await whileHelped(helpers, { up, folder: blockFolder, run }, (besides) =>
        measureLoad(measured.head, { which, folder: blockFolder, targets, cores, besides }, run),
      );
      await measureLanes(context, up, block);
      return true;
    },
  );
  if (isWhole)
    await splitBlock(blockFolder, { base: roundOf(folder, 'base', block), head: roundOf(folder, 'head', block) });
  return isWhole;
}

/** @returns false: a service ended */
async function warmUp(context: CaseContext, targets: Target[], block: number) {
  const falls = await warm(context, targets, block);
  context.lanes?.falls.push(...falls);
  return falls.length === 0;
}

/**
 * Measures one block of a system of which two copies cannot run concurrently: one side after the other, in random order,
 * each alone.
 * @returns false: a service ended while it was warmed up
 * @throws {CaseFailure | Interrupted} then the block does not count
 */
export async function measureInterleaved(context: CaseContext, of: Block) {
  let isWhole = true;
  for (const side of shuffled(sideNames, context.duet.random))
    isWhole = (await measureAlone(context, side, of)) && isWhole;
  return isWhole;
}

/**
 * Measures one block of one side, which has the machine to itself.
 * @returns false: a service ended while it was warmed up, and nothing was measured
 * @throws {CaseFailure | Interrupted} then the block does not count
 */
export async function measureAlone(context: CaseContext, side: SideName, { block, measured }: Block) {
  const { duet, folder, cores } = context;
  const blockFolder = makeFolder(join(folder, `block-${block}`, `${side}-alone`));
  const isWhole = await withSides(
    [side],
    context,
    () => blockFolder,
    async (targets) => {
      if (!(await warmUp(context, targets, block))) return false;
      await measureLoad(measured[side], { which, folder: blockFolder, targets, cores }, duet.runs.head);
      await measureLanes(context, targets, block);
      return true;
    },
  );
  if (isWhole) await splitBlock(blockFolder, { [side]: roundOf(folder, side, block) });
  return isWhole;
}

/**
 * Measures one block of a script that knows nothing of two sides, whose state and variables are of one: both sides at the same
 * time, a k6 process for each.
 * @returns false: a service ended while it was warmed up, and nothing was measured
 * @throws {CaseFailure | Interrupted} then the block does not count
 */
export async function measureApart(context: CaseContext, { block, measured }: Block) {
  const { duet, folder, cores, helpers } = context;
  const blockFolder = (side: SideName) => makeFolder(join(folder, `block-${block}`, `${side}-alone`));
  const run = { ...duet.runs.head, memory_bytes: duet.runs.head.memory_bytes / 2 };
  const isWhole = await withSides(shuffled(sideNames, duet.random), context, blockFolder, async (up) => {
    if (!(await warmUp(context, up, block))) return false;
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
    await measureLanes(context, up, block);
    return true;
  });
  if (!isWhole) return false;
  for (const side of sideNames) await splitBlock(blockFolder(side), { [side]: roundOf(folder, side, block) });
  return true;
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
