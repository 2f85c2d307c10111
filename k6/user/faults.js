import { Counter, Trend } from 'k6/metrics';
import { driverMetrics } from '../../dist/suite/cases/tables.js';

/** @import { PlannedLoad } from '../plan/make-plan.js' */
/** @import { RequestTags } from './requests.js' */

// Loaded only for cases with faults. An iteration that begins while a fault is near (from a second before it until all
// must be as before) has phase `fault` and the fault's number as a tag; so has one that meets it on its way, from the
// next request on.

const faultErrors = new Trend(driverMetrics.fault_errors.name, true);
const moved = new Counter(driverMetrics.iterations_moved.name);

/**
 * @typedef {object} FaultPhases
 * @property {(started: number, tags: RequestTags, enterPhase: () => boolean) => () => boolean} begin
 *   before a user's first iteration: puts the phases of faults over the others'
 * @property {() => void} meet to be called before a request
 * @property {() => void} failed to be called after a request that failed
 */

/**
 * @param {PlannedLoad['faults']} faults in the order of time
 * @returns {FaultPhases} of one user
 */
export function createFaults(faults) {
  let started = 0;
  /** @type {RequestTags} */
  let tags = {};
  let next = 0;
  let current = -1; // the fault whose phase the iteration has

  function now() {
    const time = (Date.now() - started) / 1000;
    while (next < faults.length && time >= faults[next].to_s) next += 1;
    return next < faults.length && time >= faults[next].from_s ? next : -1;
  }

  function mark() {
    tags.phase = 'fault';
    tags.fault = String(current + 1);
  }

  return {
    begin(startTime, userTags, enterPhase) {
      started = startTime;
      tags = userTags;
      return () => {
        const more = enterPhase();
        if (current >= 0) delete tags.fault;
        current = now();
        if (current >= 0) mark();
        return more || next < faults.length;
      };
    },
    meet() {
      if (current >= 0) return;
      current = now();
      if (current < 0) return;
      moved.add(1);
      mark();
    },
    failed() {
      if (current >= 0) faultErrors.add(Date.now() - started - faults[current].end_s * 1000);
    },
  };
}
