import { readGenerated } from '../../support/generated-records.js';

/** @import { Outcome, Random } from './run-faults.js' */

/**
 * Generates records within the schema, and has compare, report, comment and pages read them.
 * @param {number} count
 * @param {Random} random
 * @returns {Promise<Outcome[]>}
 */
export async function readRecords(count, random) {
  const what = 'generated records: compare to page';
  try {
    return [{ what, tried: (await readGenerated({ records: count, seed: random(2 ** 31) })).tried, failures: [] }];
  } catch (error) {
    return [{ what, tried: count, failures: [String(error).slice(0, 5000)] }];
  }
}
