import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import { UserError } from '../../base/errors.js';
import { writeWhole } from '../../base/io/files.js';
import { versionName } from '../../suite/record-names.js';
import { benchDir, type Suite } from '../../suite/suite.js';
import { keepRecords } from '../keep.js';
import { readRecord } from '../read-record.js';
import { recordText } from '../record-text.js';
import { recordPath, recordsOf, versionsDir } from '../versions.js';

/**
 * Keeps an imported record: as a version, or beside the imported records of one. No record that is there is rewritten.
 * @returns its file
 * @throws {UserError} the case is kept already, or the version has records that we measured
 */
export async function keepImported(suite: { root: string }, version: string, record: BenchRecord): Promise<string> {
  const folder = join(versionsDir(suite), versionName(version));
  const path = join(folder, recordPath(record));
  if (!existsSync(folder)) {
    await keepRecords(suite, version, [record]);
    return path;
  }
  if (existsSync(path)) {
    throw new UserError(`version ${version} has this case already: ${path}`, {
      hint: 'A kept record is never rewritten: choose another version, or another --scenario or --case-value.',
    });
  }
  for (const { file } of recordsOf(suite, version)) {
    if (readRecord(file).imported) continue;
    throw new UserError(`version ${version} has records that benchfolio measured`, {
      hint: `Imported ones are kept in versions of their own: choose another name, such as ${version.slice(0, 54)}-imported.`,
    });
  }
  await writeWhole(path, recordText({ ...record, version }));
  return path;
}

/**
 * Writes a record that is not kept, where `compare` and `site` can be pointed at it.
 * @returns its file
 */
export async function writeImported(suite: Suite, record: BenchRecord): Promise<string> {
  const path = join(benchDir(suite), 'imports', record.version, recordPath(record));
  await writeWhole(path, recordText(record));
  return path;
}
