import { availableParallelism } from 'node:os';
import type { HelperCommand } from './block-helpers.js';
import type { PairedCase } from './pair-cases.js';

/**
 * Has base and head swap cores: the cores of a machine that others share are not equally fast, and the system
 * leaves a process where it is for a whole block, which then compares cores.
 * @param enabled as bench.toml says
 * @returns null: not wanted, or these sides cannot: they are containers or run elsewhere, have cores of their own, or are
 *   measured one after the other
 */
export function swapCores({ base, head, solo }: PairedCase, enabled: boolean): HelperCommand | null {
  const sides = [base.services, head.services];
  const ours = sides.every((services) => services.length > 0 && services.every(isFree));
  if (!enabled || process.platform !== 'linux' || availableParallelism() < 2 || solo.interleaved !== null || !ours)
    return null;
  return {
    not: 'base and head do not swap cores',
    env: { GOMAXPROCS: '1' },
    args: (pids) => ['--after', `${solo.window.from_s}s`, ...pids],
  };
}

const isFree = ({ container, cpus }: PairedCase['head']['services'][number]) => !container && !cpus;
