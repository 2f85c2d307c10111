import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison } from '../../../reports/schema/types.d.ts';
import { UserError } from '../../base/errors.js';
import { outcomeProblem } from '../../records/outcome-schema.js';
import { FileProblem, readOurs } from '../../records/read-record.js';
import { findRun, type RunCase, readRun } from '../../records/runs.js';
import { benchDir, type Suite } from '../../suite/suite.js';

/** The last run: what it measured, what not, and how it was judged. */
export type LastRun = {
  id: string;
  dir: string;
  time: string;
  command: string;
  cases: RunCase[];
  outcome: Comparison | null;
};

/**
 * @param refuse gets a run that cannot be read
 * @returns null: nothing has been run, or the last run is gone
 */
export function lastRun(suite: Suite, refuse: (file: string, message: string) => void): LastRun | null {
  if (!existsSync(join(benchDir(suite), 'latest'))) return null;
  try {
    const dir = findRun(suite);
    const { id, time, command, cases } = readRun(dir);
    return { id, dir, time, command, cases, outcome: outcomeIn(dir, refuse) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    refuse(join(benchDir(suite), 'latest'), error.message);
    return null;
  }
}

/**
 * @param dir of a run or a duet
 * @returns null: it was not judged
 */
export function outcomeIn(dir: string, refuse: (file: string, message: string) => void): Comparison | null {
  const file = join(dir, 'comparison.json');
  if (!existsSync(file)) return null;
  try {
    const outcome = readOurs(file) as Comparison;
    const problem = outcomeProblem(outcome);
    if (problem) throw new FileProblem(file, `is not the outcome of a run: ${problem}`, {});
    return outcome;
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    refuse(file, `it ${error.problem}`);
    return null;
  }
}
