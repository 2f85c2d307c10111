import { join } from 'node:path';
import type { Comparison } from '../../../reports/schema/types.d.ts';
import { duetsDir, keptDuets, readDuet } from '../../records/duets.js';
import { FileProblem } from '../../records/read-record.js';
import { duetFile, runIds } from '../../records/runs.js';
import { benchDir, type Suite } from '../../suite/suite.js';
import { withoutCollisions } from './collisions.js';
import { outcomeIn } from './last-run.js';

/**
 * A duet: base and head measured at the same time. Its records are of two sides and of no version; what it found is its
 * comparison.
 * name: what it was kept as, or its id; url: of its page, without .html, from the site's root
 */
export type Duet = { name: string; kept: boolean; time: string; outcome: Comparison; url: string };

/**
 * The kept duets, and the last one that was measured here, kept or not.
 * @param refuse gets a duet that cannot be read
 * @returns oldest first
 */
export function readDuets(suite: Suite, refuse: (file: string, message: string) => void): Duet[] {
  const leaveOut = ({ file, problem }: FileProblem) => refuse(file, `it ${problem}`);
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

/** @returns none: it cannot be read */
function readKept(kept: { name: string; file: string }, leaveOut: (problem: FileProblem) => void): Duet[] {
  try {
    return [duetOf(kept.name, true, readDuet(kept))];
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    leaveOut(error);
    return [];
  }
}

const duetOf = (name: string, kept: boolean, outcome: Comparison): Duet => ({
  name,
  kept,
  time: outcome.time,
  outcome,
  url: `duets/${name}`,
});

/** @returns null: there is none that came to its end */
function lastDuet(suite: Suite, refuse: (file: string, message: string) => void): Duet | null {
  const id = runIds(benchDir(suite)).findLast((run) => duetFile(suite, run) !== null);
  const outcome = id === undefined ? null : outcomeIn(join(benchDir(suite), 'runs', id), refuse);
  return id === undefined || outcome === null ? null : duetOf(id, false, outcome);
}
