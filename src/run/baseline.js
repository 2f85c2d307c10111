import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nearest } from '../check/nearest.js';
import { UserError } from '../errors.js';
import { versionNames, versionsDir } from '../records/versions.js';

/** @param {{ root: string }} suite @param {string} baseline */
const isKept = (suite, baseline) => existsSync(join(versionsDir(suite), baseline));

/**
 * Refuses a baseline that is not kept, and looks like one that is: before an hour of load, not after it.
 * @param {string | undefined} baseline
 * @param {{ root: string }} suite
 * @throws {UserError}
 */
export async function refuseMistyped(baseline, suite) {
  if (baseline === undefined || isKept(suite, baseline)) return;
  const meant = nearest(baseline, await versionNames(suite));
  if (meant === null) return;
  throw new UserError(`there is no version "${baseline}" in reports/versions`, { hint: `Did you mean "${meant}"?` });
}

/**
 * Says early what will make the comparison impossible.
 * @param {string | undefined} baseline
 * @param {{ root: string }} suite
 * @param {import('./progress.js').Progress} progress
 */
export function noteMissing(baseline, suite, progress) {
  if (baseline === undefined || isKept(suite, baseline)) return;
  progress.note(`there is no version "${baseline}" in reports/versions: the comparison will be inconclusive`);
}
