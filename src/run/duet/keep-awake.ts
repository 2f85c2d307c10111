import { availableParallelism } from 'node:os';
import type { HelperCommand } from './block-helpers.js';
import type { PairedCase } from './pair-cases.js';

/** With many cores it would take the boost clock from the few that work. */
const mostCores = 8;

/**
 * Keeps the cores of this machine from falling idle: a core of a virtual machine that has takes longer to begin again than a fast
 * service to answer, and which side meets it stays the same for a whole block.
 * @param enabled as bench.toml says
 * @returns null: not wanted, or nothing of the sides runs here, or there are many cores
 */
export function keepAwake({ base, head, solo }: PairedCase, enabled: boolean): HelperCommand | null {
  const here = [base, head].every(({ services }) => services.length > 0);
  if (
    !enabled ||
    process.platform !== 'linux' ||
    availableParallelism() > mostCores ||
    solo.interleaved !== null ||
    !here
  )
    return null;
  return { not: 'cores are not kept from falling idle', args: (pids) => [pids.join(',')] };
}
