import { SharedArray } from 'k6/data';

/** @import { PlannedLoad } from './plan/make-plan.js' */

// Made once, for all users. The modules that make it are loaded in here, only for the first: a module takes about 10 kB of each
// user that has it, and those of the spec would take four times the CPU time and memory of the whole start. Kept as
// JSON text: an object in a SharedArray is frozen, property by property, at each access.
const shared = new SharedArray('plan', () => {
  const { makePlan } = /** @type {typeof import('./plan/make-plan.js')} */ (require('./plan/make-plan.js'));
  const { options, load, facts } = makePlan(__ENV);
  return [options, load, facts].map((part) => JSON.stringify(part));
});

// An archive has the modules that the first init loads: also one that only who plays it may ask for, by ANSWERS.
if (__VU === 0 && __ENV.PACKED) require('./user/answers.js');

/** What each user does. @type {PlannedLoad} */
export const load = JSON.parse(shared[1]);

/** k6's options; k6 reads those of its first init, the others are users. @type {Record<string, any>} */
export const options = __VU === 0 ? JSON.parse(shared[0]) : {};

/** k6's, called when the run is over. */
export const handleSummary = __VU !== 0 ? undefined : load.smoke ? () => ({}) : summaryOf(shared[2]);

/** @param {string} facts */
function summaryOf(facts) {
  const { createSummary } = /** @type {typeof import('./summary.js')} */ (require('./summary.js'));
  return createSummary(JSON.parse(facts));
}
