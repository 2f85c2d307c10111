import { sharedIterations } from '../../dist/suite/cases/executors.js';
import { limits } from '../../dist/suite/cases/tables.js';

/**
 * k6's options for a few iterations by one user, of which the first good one is the last: nothing is judged.
 * @param {Record<string, any>} options those of the load
 * @returns {Record<string, any>}
 */
export function smokeOptions(options) {
  const [scenario] = Object.keys(options.scenarios);
  const executor = {
    ...sharedIterations({ vus: 1, iterations: limits.smoke_tries }),
    maxDuration: `${limits.smoke_seconds}s`,
    gracefulStop: '0s',
  };
  return { ...options, scenarios: { [scenario]: executor }, thresholds: {} };
}
