import { readProbe, underLoad } from '../../src/spec/index.js';
import { refuse } from '../shared/refuse.js';

/** @import { Case } from '../../src/spec/index.js' */

/**
 * A case under the load that `find` tries.
 * @param {Case} benchCase
 * @param {Record<string, string>} env PROBE: "250x5", the load and how many seconds are measured; not given: as the spec has it
 * @returns {Case}
 */
export function forProbe(benchCase, { PROBE }) {
  if (!PROBE) return benchCase;
  const probe = readProbe(PROBE) ?? refuse(`PROBE is "${PROBE}", and must be like 250x5: a load and seconds`);
  return underLoad(benchCase, probe);
}
