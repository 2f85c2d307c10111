import { createHash } from 'node:crypto';
import { parseRecord, readText } from '../../records/read-record.js';

/** @import { BenchRecord } from '../../../reports/schema/types.d.ts' */
/** @import { FileProblem } from '../../records/read-record.js' */
/** @import { RecordPlace } from '../../records/versions.js' */

/**
 * @typedef {RecordPlace & { record: BenchRecord, text: string, digest: string, kept: boolean, lastRun: boolean,
 *   url: string }} Entry a record and where its page is. text: of its file; digest: of that; lastRun: it is of the last
 *   run, kept since or not; url: of its page, without .html, from the site's root
 */

/**
 * Reads a record for its page.
 * @param {RecordPlace & { file: string }} found file: absolute
 * @param {boolean} kept
 * @returns {Entry}
 * @throws {FileProblem} it is not a record, or that of another place
 */
export function readEntry({ file, ...location }, kept) {
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

/** @param {RecordPlace} location */
const urlOf = ({ version, system, environment, case: name }) => `versions/${version}/${system}/${environment}/${name}`;
