import { blocksAlone } from '../../suite/cases/duet-settings.js';
import type { Block, Shown } from '../run-context.js';
import type { PairedCase } from './pair-cases.js';

/**
 * A case as it is shown while it is measured: with what each of its blocks holds, to tell how long it takes.
 * @param blocks at the most; the age lane is one more at the end
 */
export function plannedPair(
  { solo, base, head, lanes, obstacle, alone }: PairedCase,
  blocks: number,
): Shown & { blocks: Block[] } {
  const { system, environment, name, duration_s, interleaved } = solo;
  // One side after the other has each load twice.
  const times = interleaved === null ? 1 : 2;
  const starts = [base, head].filter(({ services }) => services.length > 0).length;
  const blockOf = (loads: readonly (number | null)[]) => ({
    starts,
    loads: loads.flatMap((seconds) => Array(times).fill(seconds ?? 0)),
  });
  const shown = { system, environment, name, duration_s };
  if (alone)
    return { ...shown, blocks: Array(Math.min(blocksAlone, blocks)).fill({ starts: 1, loads: [duration_s ?? 0] }) };
  const loads = lanes ? [lanes.saturation, lanes.load].map(({ head }) => head.duration_s) : [];
  const all = Array(blocks).fill(blockOf([duration_s, ...loads]));
  if (lanes?.age) all.push(blockOf([lanes.age.head.duration_s]));
  return { ...shown, blocks: obstacle ? [] : all };
}
