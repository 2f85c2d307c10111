import exec from 'k6/execution';
import { Trend } from 'k6/metrics';
import { driverMetrics } from '../../dist/suite/cases/tables.js';

/** @import { Send } from './requests.js' */

// Loaded only for cases with groups: requests that are timed as one, the pauses between them aside.

const durations = new Trend(driverMetrics.group_duration.name, true);

/** @typedef {ReturnType<typeof createGroups>} Groups */

/** The groups of one user. */
export function createGroups() {
  /** @type {{ currentTestRunDuration: number } | null} */
  let instance = null;
  let paused = 0;
  // finer than Date.now(), which has whole milliseconds; not there before the first iteration, and looked up once
  const now = () => {
    instance ??= exec.instance;
    return instance.currentTestRunDuration;
  };

  return {
    /** @param {() => void} think @returns {() => void} the same, not counted */
    pausing: (think) => () => {
      const from = now();
      think();
      paused += now() - from;
    },

    /**
     * @param {string} name
     * @param {Send[]} sends
     * @returns {Send} one after the other; timed if none ends the iteration
     */
    together(name, sends) {
      const tags = { group: name };
      return () => {
        const begun = now() - paused;
        for (let i = 0; i < sends.length; i += 1) if (!sends[i]()) return false;
        durations.add(now() - paused - begun, tags);
        return true;
      };
    },

    /**
     * @template Result
     * @param {string} name
     * @param {() => Result} work
     * @returns {Result} what it returns; a promise is waited for
     */
    time(name, work) {
      const begun = now() - paused;
      const end = () => durations.add(now() - paused - begun, { group: name });
      const result = work();
      if (result instanceof Promise) {
        return /** @type {Result} */ (
          result.then((value) => {
            end();
            return value;
          })
        );
      }
      end();
      return result;
    },
  };
}
