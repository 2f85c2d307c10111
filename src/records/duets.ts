import { join } from 'node:path';
import type { ComparedCase, Comparison } from '../../reports/schema/types.d.ts';
import { exitCodes, UserError } from '../base/errors.js';
import { isVersionName } from '../suite/record-names.js';
import { outcomeProblem } from './outcome-schema.js';
import { FileProblem, parseOurs, readText, restore } from './read-record.js';
import { recordText } from './record-text.js';
import { isOfFuture } from './runs.js';
import { foldersIn } from './versions.js';

/**
 * The outcome of a duet, which names what it compared, metric by metric and block by block: its comparison. The comparison is
 * kept, in a folder of its own: `<name>/comparison.json`, once and for good.
 */

const fileName = 'comparison.json';

/** More than a duet of many cases has: a larger file is not a comparison, and is not read. */
export const mostDuetBytes = 1 << 24;

/**
 * Where duets are kept.
 * @returns absolute
 */
export const duetsDir = ({ root }: { root: string }): string => join(root, 'reports', 'duets');

/** @returns where its outcome lies, from reports/duets */
export const duetPath = (name: string): string => join(name, fileName);

/**
 * Reads what a path within reports/duets says.
 * @returns the name of the duet; null: no duet lies there
 */
export function duetNameOf(path: string): string | null {
  const [name, file, ...rest] = path.replaceAll('\\', '/').split('/');
  return file === fileName && rest.length === 0 ? name : null;
}

/**
 * Lists the duets that are kept.
 * @param report gets a folder that cannot be read, and links in the place of one
 * @returns file: absolute
 */
export const keptDuets = (
  suite: { root: string },
  report: (problem: FileProblem) => void,
): { name: string; file: string }[] =>
  foldersIn(duetsDir(suite), report, report).map((name) => ({ name, file: join(duetsDir(suite), duetPath(name)) }));

/**
 * Reads a kept duet.
 * @throws {FileProblem} it is not there, truncated, of another schema version, or no duet
 */
export const readDuet = ({ name, file }: { name: string; file: string }): Comparison =>
  parseDuet(readText(file, { links: false }), file, name);

/**
 * @param file what it is called
 * @throws {FileProblem}
 */
export function parseDuet(text: string, file: string, name: string): Comparison {
  if (!isVersionName(name)) {
    throw new FileProblem(file, `has ${JSON.stringify(name)} in its path, which cannot name a duet`, {});
  }
  const outcome = parseOurs(text, file) as Comparison;
  const problem = outcomeProblem(outcome) ?? (isDuet(outcome) ? null : 'it compares no two sides of a duet');
  if (problem) throw new FileProblem(file, `is not the outcome of a duet: ${problem}`, { hint: restore });
  return outcome;
}

const isDuet = ({ run, cases }: Comparison) => run !== null && cases.some(isCompared);

const isCompared = ({ status, comparison, metrics }: ComparedCase) =>
  status === 'measured' &&
  comparison?.possible === true &&
  comparison.kind !== 'sessions' &&
  metrics.some(({ ratio }) => ratio !== null);

/**
 * A duet as the text of the file that is kept: without its raw files, which are gone when .bench is.
 * @throws {UserError} nothing of it is worth keeping
 */
export function duetText(outcome: Comparison): string {
  const { run, time, cases, exit } = outcome;
  if (isOfFuture(time)) {
    throw new UserError(`the duet ${run} cannot be kept: its time is in the future: the clock was wrong`, {
      code: exitCodes.inconclusive,
    });
  }
  if (!cases.some(isCompared)) {
    const why = cases.map(
      (comparedCase) =>
        `\n  ${[comparedCase.system, comparedCase.environment, comparedCase.case].join(' ')}: ${comparedCase.reason ?? comparedCase.comparison?.reason ?? comparedCase.verdict}`,
    );
    throw new UserError(`the duet ${run} cannot be kept: nothing was compared${why.join('')}`, {
      code: exit || exitCodes.inconclusive,
      hint: 'Measure again, and keep that: benchfolio duet',
    });
  }
  const bare = cases.map((comparedCase) => ({ ...comparedCase, record: null, base_record: null }));
  return recordText({ ...outcome, folder: null, cases: bare });
}
