import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isVersionName } from '../suite/record-names.js';
import { FileProblem, readRecord } from './read-record.js';
import { type Identity, recordPath, versionNames, versionsDir } from './versions.js';

/**
 * Finds the record to compare a case with. A damaged record is not a baseline: the comparison stays open, and says why.
 * @returns base: a file; base_reason: why there is none
 */
export function findBaseline(
  suite: { root: string },
  version: string,
  identity: Identity,
): { base: string | null; base_reason: string | null } {
  const missing = (base_reason: string) => ({ base: null, base_reason });
  const isKept = isVersionName(version) && existsSync(join(versionsDir(suite), version));
  if (!isKept) return missing(unknownVersion(suite, version));
  const file = join(versionsDir(suite), version, recordPath(identity));
  if (!existsSync(file)) return missing(`version ${version} has no record of this case`);
  try {
    readRecord(file, { version, ...identity });
    return { base: file, base_reason: null };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return missing(error.message);
  }
}

function unknownVersion(suite: { root: string }, version: string) {
  const known = versionNames(suite);
  return `no version ${version} is kept (${known.length ? `there are ${known.join(', ')}` : 'none is'})`;
}
