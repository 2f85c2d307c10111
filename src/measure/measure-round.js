import { join } from 'node:path';
import { makeFolder } from '../io/files.js';
import { deleteData, measureLoad } from './measure-load.js';

/**
 * Measures one round, in as many k6 processes as it is cut into; on any error no data of it is left.
 * @param {import('../generator/k6.js').CaseFile} measured
 * @param {{ round: number, repeated: readonly string[], folder: string, cores: string | null,
 *   services: import('../services/services.js').Services,
 *   prometheus: import('../services/prometheus/index.js').RunningPrometheus }} given repeated: why it was measured before, and
 *   did not count; folder: of the case; cores: those that k6 is pinned to
 * @param {import('../run-context.js').Run} run
 * @throws {import('../process/failure.js').CaseFailure | import('../process/failure.js').Interrupted}
 */
export async function measureRound(measured, { round, repeated, folder, cores, services, prometheus }, run) {
  const { parts } = measured.benchCase;
  const suffix = (/** @type {number} */ part) => (parts === 1 ? '' : `.${part}`);
  const folders = Array.from({ length: parts }, (_, index) => join(folder, `round-${round}${suffix(index + 1)}`));
  const targets = [{ side: null, services }];
  try {
    for (const [index, place] of folders.entries()) {
      const which = { round, part: index + 1, parts, ...(repeated.length ? { repeated } : {}) };
      await measureLoad(measured, { which, folder: makeFolder(place), targets, cores, prometheus }, run);
    }
  } catch (error) {
    folders.forEach(deleteData);
    throw error;
  }
}
