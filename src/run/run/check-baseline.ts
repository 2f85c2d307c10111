import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../base/errors.js';
import { versionNames, versionsDir } from '../../records/versions.js';
import { nearest } from '../../suite/nearest.js';
import type { Progress } from '../run-context.js';

const isKept = (suite: { root: string }, baseline: string) => existsSync(join(versionsDir(suite), baseline));

/**
 * Refuses a baseline that is not kept where others are: before an hour of load, not after it. Where none is kept yet,
 * there is nothing to mistype: a first run in CI goes on.
 * @throws {UserError}
 */
export async function refuseMistyped(baseline: string | undefined, suite: { root: string }) {
  if (baseline === undefined || isKept(suite, baseline)) return;
  const known = versionNames(suite);
  if (known.length === 0) return;
  const meant = nearest(baseline, known);
  throw new UserError(`there is no version "${baseline}" in reports/versions`, {
    hint:
      meant === null
        ? `Kept are ${known.join(', ')}; keep ${baseline} --pull brings one from the data branch.`
        : `Did you mean "${meant}"?`,
  });
}

/** Says early what will make the comparison impossible. */
export function noteMissing(baseline: string | undefined, suite: { root: string }, progress: Progress) {
  if (baseline === undefined || isKept(suite, baseline)) return;
  progress.note(`there is no version "${baseline}" in reports/versions: the comparison will be inconclusive`);
}
