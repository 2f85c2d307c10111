import { sleep } from 'k6';

/** @import { PlannedLoad } from '../plan/make-plan.js' */

// Loaded only for the saturation probe of a duet. Each side has a process of its own, and the clock of the machine says whose turn it
// is: even turns are of one, odd turns of the other.

/**
 * @param {NonNullable<PlannedLoad['turns']>} turns
 * @returns {() => void} to be called before an iteration: waits until it is this side's turn
 */
export function compileTurns({ turn_s, place }) {
  return () => {
    const now = Date.now() / 1000 / turn_s;
    if (Math.floor(now) % 2 !== place) sleep((1 - (now % 1)) * turn_s);
  };
}
