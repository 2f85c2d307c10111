import { availableParallelism } from 'node:os';

/** @import { HelperCommand } from './block-helpers.js' */
/** @import { PairedCase } from './pair-cases.js' */

/**
 * Has base and head swap cores: the cores of a machine that others share are not equally fast, and the system
 * leaves a process where it is for a whole block, which then compares cores.
 * @param {PairedCase} pair
 * @param {boolean} enabled as bench.toml says
 * @returns {HelperCommand | null} null: not wanted, or these sides cannot: they are containers or run elsewhere, have cores of
 *   their own, or are measured one after the other
 */
export function swapCores({ base, head, solo }, enabled) {
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

/** @param {PairedCase['head']['services'][number]} service */
const isFree = ({ container, cpus }) => !container && !cpus;
