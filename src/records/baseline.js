import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../errors.js';
import { readRecord } from './read.js';
import { isVersionName } from './version-name.js';
import { recordPath, versionNames, versionsDir } from './versions.js';

/**
 * Finds the record to compare a case with.
 * @param {{ root: string }} suite
 * @param {string} version
 * @param {import('./versions.js').Identity} identity
 * @returns {Promise<{ base: string | null, base_reason: string | null }>} base: a file; base_reason: why there is none
 */
export async function findBaseline(suite, version, identity) {
  const missing = (/** @type {string} */ base_reason) => ({ base: null, base_reason });
  const isKept = isVersionName(version) && existsSync(join(versionsDir(suite), version));
  if (!isKept) return missing(await unknownVersion(suite, version));
  const file = join(versionsDir(suite), version, recordPath(identity));
  if (!existsSync(file)) return missing(`version ${version} has no record of this case`);
  return readable(file);
}

/**
 * A damaged record is no baseline: the comparison stays open, and says why.
 * @param {string} file
 */
export async function readable(file) {
  try {
    await readRecord(file);
    return { base: file, base_reason: null };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { base: null, base_reason: error.message };
  }
}

/** @param {{ root: string }} suite @param {string} version */
async function unknownVersion(suite, version) {
  const known = await versionNames(suite);
  return `no version ${version} is kept (${known.length ? `there are ${known.join(', ')}` : 'none is'})`;
}
