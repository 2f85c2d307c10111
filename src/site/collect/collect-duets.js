import { join } from 'node:path';
import { duetsDir, keptDuets, readDuet } from '../../records/duets.js';
import { FileProblem } from '../../records/read-record.js';
import { duetFile, runIds } from '../../records/runs.js';
import { benchDir } from '../../suite/suite.js';
import { withoutCollisions } from './collisions.js';
import { outcomeIn } from './last-run.js';

/** @import { Comparison } from '../../../reports/schema/types.d.ts' */
/** @import { Suite } from '../../suite/suite.js' */

/**
 * A duet: base and head measured at the same time. Its records are of two sides and of no version; what it found is its
 * comparison.
 * @typedef {{ name: string, kept: boolean, time: string, outcome: Comparison, url: string }} Duet name: what it was kept as, or its id;
 *   url: of its page, without .html, from the site's root
 */

/**
 * The kept duets, and the last one that was measured here, kept or not.
 * @param {Suite} suite
 * @param {(file: string, message: string) => void} refuse gets a duet that cannot be read
 * @returns {Duet[]} oldest first
 */
export function readDuets(suite, refuse) {
  const leaveOut = (/** @type {FileProblem} */ { file, problem }) => refuse(file, `it ${problem}`);
  const kept = withoutCollisions(
    keptDuets(suite, leaveOut).flatMap((duet) => readKept(duet, leaveOut)),
    ({ url }) => [url],
    ({ name }, message) => refuse(join(duetsDir(suite), name), message),
  );
  const last = lastDuet(suite, refuse);
  const isKept = last && kept.some(({ outcome }) => outcome.run === last.outcome.run);
  return [...kept, ...(last && !isKept ? [last] : [])].sort(
    (a, b) => a.time.localeCompare(b.time) || a.name.localeCompare(b.name),
  );
}

/**
 * @param {{ name: string, file: string }} kept
 * @param {(problem: FileProblem) => void} leaveOut
 * @returns {Duet[]} none: it cannot be read
 */
function readKept(kept, leaveOut) {
  try {
    return [duetOf(kept.name, true, readDuet(kept))];
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    leaveOut(error);
    return [];
  }
}

/** @param {string} name @param {boolean} kept @param {Comparison} outcome @returns {Duet} */
const duetOf = (name, kept, outcome) => ({ name, kept, time: outcome.time, outcome, url: `duets/${name}` });

/**
 * @param {Suite} suite
 * @param {(file: string, message: string) => void} refuse
 * @returns {Duet | null} null: there is none that came to its end
 */
function lastDuet(suite, refuse) {
  const id = runIds(benchDir(suite)).findLast((run) => duetFile(suite, run) !== null);
  const outcome = id === undefined ? null : outcomeIn(join(benchDir(suite), 'runs', id), refuse);
  return id === undefined || outcome === null ? null : duetOf(id, false, outcome);
}
