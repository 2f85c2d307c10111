import { begunAfter } from './counters.js';

/** @import { PlannedLoad } from '../plan/make-plan.js' */
/** @import { RequestTags } from './requests.js' */

/**
 * Tells the parts of a scenario apart by a tag of the user: `warmup`, `steady` (the measured window) and `cooldown`. An
 * iteration belongs to the phase that it starts in.
 * @param {PlannedLoad['window']} window
 * @param {number | null} duration_s of the scenario; null: until its iterations are done
 * @param {number} started epoch milliseconds
 * @param {RequestTags} tags of the user
 * @returns {() => boolean} to be called before each iteration; false: it need not be any more
 */
export function createPhases({ from_s, to_s }, duration_s, started, tags) {
  const changes = [{ at: started + from_s * 1000, phase: 'steady' }];
  const ends = to_s !== null && (duration_s === null || to_s < duration_s);
  if (ends) changes.push({ at: started + to_s * 1000, phase: 'cooldown' });
  let phase = 'warmup';
  return function enterPhase() {
    const now = Date.now();
    while (changes.length > 0 && now >= changes[0].at) ({ phase } = /** @type {{ phase: string }} */ (changes.shift()));
    tags.phase = phase;
    if (changes.length > 0) return true;
    if (ends) begunAfter.add(1); // nothing is measured any more
    return ends;
  };
}
