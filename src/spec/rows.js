/**
 * @import { Path, Report } from './error.js'
 * @typedef {object} Rows
 * @property {string} file relative to the spec's folder
 * @property {'csv' | 'json' | 'jsonl'} format json: a list of objects; jsonl: an object a line
 * @property {string} delimiter
 * @property {boolean} header the first line of a CSV file names the columns
 * @property {string[] | null} columns null: named by the header, or by the objects' keys
 * @property {'shared' | 'random' | 'user'} order
 * @property {string | null} sha256 hexadecimal
 */

/** @type {Record<string, Rows['format']>} */
const formats = { json: 'json', jsonl: 'jsonl', ndjson: 'jsonl' };

/**
 * @param {Record<string, any> | undefined} written
 * @param {Path} path
 * @param {Report} report
 * @returns {Rows | null}
 */
export function readRows(written, path, report) {
  if (!written) return null;
  const extension = /\.([a-z]+)$/i.exec(written.file)?.[1].toLowerCase() ?? '';
  const { file, format = formats[extension] ?? 'csv', columns = null, order = 'shared', sha256 = null } = written;
  const { delimiter = extension === 'tsv' ? '\t' : ',', header = true } = written;
  if (format === 'csv' && !header && !columns) {
    report(path, `${file} has no header, and the columns have no names`, 'Set `columns = ["…", …]`.');
  }
  return { file, format, delimiter, header, columns, order, sha256 };
}
