import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, relative } from 'node:path';
import type { Comparison, Fingerprint } from '../../../reports/schema/types.d.ts';
import { UserError } from '../../base/errors.js';
import { formatBytes } from '../../base/format.js';
import { jqOver } from '../../base/tools/jq.js';
import { outcomeProblem } from '../../records/outcome-schema.js';
import { FileProblem, otherVersion, readJson, tryRecord } from '../../records/read-record.js';
import { lastMeasured } from '../../records/runs.js';
import { benchDir, type Suite } from '../../suite/suite.js';

/** A comparison of thousands of cases is smaller; a file from elsewhere may be anything. */
const most_bytes = 32 * 2 ** 20;

/** A record is at most 64 kB. */
const most_record_bytes = 2 ** 20;

const measureFirst = 'Measure first: benchfolio run or duet.';
const hint = "It may come from a run of somebody else's code: nothing of it is used.";

/**
 * Reads a comparison that anybody may have written: whatever passes is of the right shape, and its texts are data.
 * @throws {UserError} it is not there, too large, damaged, or no comparison
 */
export async function readComparison(file: string): Promise<Comparison> {
  const found = lstatSync(file, { throwIfNoEntry: false }); // where a link leads is not for a comment
  if (!found) throw new UserError(`there is no comparison ${file}`, { hint: measureFirst });
  if (!found.isFile()) throw new UserError(`${file} is not a file`, { hint });
  if (found.size > most_bytes) {
    const [size, most] = [found.size, most_bytes].map(formatBytes);
    throw new UserError(`${file} is not a comparison: ${size}, at most ${most} are read`, { hint });
  }
  const comparison = jsonOf(file) as Comparison;
  const other = Number.isInteger(comparison?.schema) ? otherVersion(comparison) : null;
  if (other) throw new UserError(`${file} ${other.problem}`, { hint: other.hint });
  const problem = outcomeProblem(comparison) ?? (await jqOver('contradiction.json.jq', [comparison]));
  if (problem) throw new UserError(oneLine(`${file} is not a comparison: ${problem}`), { hint });
  return comparison;
}

function jsonOf(file: string): unknown {
  try {
    return readJson(file);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new UserError(oneLine(error.message), { code: error.code, hint, cause: error });
  }
}

/** What is quoted from it could be a line of its own, and runners read commands from lines. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 500);

/**
 * The comparison of the last run.
 * @returns its file
 * @throws {UserError} nothing was run, or the last run was not judged
 */
export function lastComparison(suite: Suite): string {
  const last = lastMeasured(suite);
  if (last === undefined) throw new UserError('nothing has been run here yet', { hint: measureFirst });
  const file = join(benchDir(suite), 'runs', last, 'comparison.json');
  if (existsSync(file)) return file;
  throw new UserError(`the last run ${last} has no comparison.json: it failed early, or is still going on`, {
    hint: 'Name another one: benchfolio comment .bench/runs/<run>/comparison.json',
  });
}

/**
 * The machine of a comparison, by the first record that lies beside it.
 * @param file of it
 * @returns null: no record is there
 */
export function machineOf({ folder, cases }: Comparison, file: string): Fingerprint | null {
  if (folder === null) return null;
  for (const { record } of cases) {
    const inside = record === null ? '..' : normalize(relative(folder, record));
    if (inside.startsWith('..') || isAbsolute(inside)) continue;
    const beside = join(dirname(file), inside);
    if ((statSync(beside, { throwIfNoEntry: false })?.size ?? Infinity) > most_record_bytes) continue;
    const read = tryRecord(beside);
    if (read) return read.fingerprint;
  }
  return null;
}
