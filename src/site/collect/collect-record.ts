import { createHash } from 'node:crypto';
import type { BenchRecord } from '../../../reports/schema/types.d.ts';
import { parseRecord, readText } from '../../records/read-record.js';
import type { RecordPlace } from '../../records/versions.js';

/**
 * A record and where its page is. text: of its file; digest: of that; lastRun: it is of the last run, kept since or not; url:
 * of its page, without .html, from the site's root
 */
export type Entry = RecordPlace & {
  record: BenchRecord;
  text: string;
  digest: string;
  kept: boolean;
  lastRun: boolean;
  url: string;
};

/**
 * Reads a record for its page.
 * @param found file: absolute
 * @throws {FileProblem} it is not a record, or that of another place
 */
export function readEntry({ file, ...location }: RecordPlace & { file: string }, kept: boolean): Entry {
  const text = readText(file, { links: false });
  return {
    record: parseRecord(text, file, location),
    text,
    digest: createHash('sha256').update(text).digest('hex'),
    kept,
    lastRun: !kept,
    ...location,
    url: urlOf(location),
  };
}

const urlOf = ({ version, system, environment, case: name }: RecordPlace) =>
  `versions/${version}/${system}/${environment}/${name}`;
