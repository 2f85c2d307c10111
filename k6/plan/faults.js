import { limits } from '../../dist/suite/cases/tables.js';

/** @import { Case } from '../../dist/suite/cases/expand.js' */

/**
 * When a fault is near: from a second before it until all must be as before, or the next is near.
 * @param {Case['faults']} faults in the order of time
 * @returns {{ from_s: number, end_s: number, to_s: number }[]} seconds from the start of the load; end_s: of the fault
 */
export function planFaults(faults) {
  const starts = faults.map(({ at_s }) => Math.max(0, at_s - limits.fault_lead_s));
  return faults.map(({ at_s, for_s, recover_within_s }, i) => ({
    from_s: starts[i],
    end_s: at_s + for_s,
    to_s: Math.min(at_s + for_s + recover_within_s, starts[i + 1] ?? Infinity),
  }));
}
