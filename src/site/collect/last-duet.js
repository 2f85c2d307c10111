import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runIds } from '../../records/runs.js';
import { benchDir } from '../../suite.js';
import { outcomeIn } from './last-run.js';

/**
 * The last duet: base and head measured at the same time. Its records are of two sides and of no version; what it found is
 * its comparison.
 * @typedef {{ id: string, time: string, outcome: any }} Duet
 */

/**
 * @param {import('../../suite.js').Suite} suite
 * @param {(file: string, message: string) => void} refuse gets a duet that cannot be read
 * @returns {Promise<Duet | null>} null: there is none that came to its end
 */
export async function lastDuet(suite, refuse) {
  const runs = join(benchDir(suite), 'runs');
  const id = runIds(benchDir(suite)).findLast(
    (one) => existsSync(join(runs, one, 'comparison.json')) && !existsSync(join(runs, one, 'run.json')),
  );
  if (id === undefined) return null;
  const outcome = outcomeIn(join(runs, id), refuse);
  return outcome && { id, time: outcome.time, outcome };
}
