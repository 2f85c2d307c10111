/** @import { Path, Report } from './error.js' */
/** @import { TomlTable } from './toml.js' */

/**
 * @typedef {object} Rows
 * @property {string} file relative to the spec's folder
 * @property {'csv' | 'json' | 'jsonl'} format json: a list of objects; jsonl: an object a line
 * @property {string} delimiter
 * @property {boolean} header the first line of a CSV file names the columns
 * @property {string[] | null} columns null: named by the header, or by the objects' keys
 * @property {Record<string, 'number' | 'boolean'>} [types] of columns of a CSV file whose values are not text; not there
 *   without any, so that definitions without stay what they were
 * @property {'shared' | 'random' | 'user'} order
 * @property {string | null} sha256 hexadecimal
 */

/** @type {Record<string, Rows['format']>} */
const formats = { json: 'json', jsonl: 'jsonl', ndjson: 'jsonl' };

/**
 * The data files of a scenario: one table, or a list of them.
 * @param {TomlTable | TomlTable[] | undefined} written
 * @param {Path} path
 * @param {Report} report
 * @returns {Rows[]}
 */
export function readRows(written, path, report) {
  if (!written) return [];
  if (!Array.isArray(written)) return [readFile(written, path, report)];
  return written.map((file, i) => readFile(file, [...path, i], report));
}

/**
 * @param {TomlTable} written
 * @param {Path} path
 * @param {Report} report
 * @returns {Rows}
 */
function readFile(written, path, report) {
  const extension = /\.([a-z]+)$/i.exec(written.file)?.[1].toLowerCase() ?? '';
  const {
    file,
    format = formats[extension] ?? 'csv',
    columns = null,
    types,
    order = 'shared',
    sha256 = null,
  } = written;
  const { delimiter = extension === 'tsv' ? '\t' : ',', header = true } = written;
  if (format === 'csv' && !header && !columns) {
    report(path, `${file} has no header, and the columns have no names`, 'Set `columns = ["…", …]`.');
  }
  if (types && format !== 'csv') {
    report([...path, 'types'], `the values of ${file} have their types already`, 'Drop `types`: it is for CSV.');
  }
  const unknown = Object.keys(types ?? {}).find((name) => columns && !columns.includes(name));
  if (unknown !== undefined)
    report([...path, 'types', unknown], `there is no column "${unknown}"`, { got: unknown, known: columns }, 'key');
  return { file, format, delimiter, header, columns, ...(types && { types }), order, sha256 };
}
