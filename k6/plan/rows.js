import { sha256 } from 'k6/crypto';
import { partsOf } from '../shared/placeholders.js';
import { refuse } from '../shared/refuse.js';
import { parseCsv } from './csv.js';
import { readFile, within } from './files.js';

/**
 * @import { Rows } from '../../src/spec/index.js'
 * @import { PlannedLoad } from './index.js'
 * @typedef {Record<string, any>} DataRow
 */

/**
 * Reads the rows of a scenario.
 * @param {PlannedLoad} load with rows
 * @returns {DataRow[]} with the columns that its requests use; with all for a script
 */
export function planRows(load) {
  const rows = /** @type {Rows} */ (load.rows);
  const path = within(load.folder, rows.file);
  if (rows.sha256 !== null) compareHash(path, rows);
  const all = parseRows(readFile(path, { what: 'the rows' }).content, rows);
  if (!all.length) refuse(`${rows.file} has no rows`);
  const used = load.script === null ? columnsUsed(load.requests) : Object.keys(all[0]);
  const unknown = used.find((column) => !(column in all[0]));
  if (unknown !== undefined) refuse(`${rows.file} has no column "${unknown}", only ${Object.keys(all[0]).join(', ')}`);
  return all.map((row) => Object.fromEntries(used.map((column) => [column, row[column]])));
}

/** @param {string} path @param {Rows} rows */
function compareHash(path, { file, sha256: wanted }) {
  const found = sha256(readFile(path, { what: 'the rows', binary: true }).content, 'hex');
  if (found === wanted?.toLowerCase()) return;
  refuse(`${file} is not the file that the spec names: its sha256 is ${found}, not ${wanted}`);
}

/** @param {string} text @param {Rows} rows @returns {DataRow[]} */
function parseRows(text, { format, file, delimiter, header, columns }) {
  if (format === 'csv') return named(parseCsv(text, delimiter, file), { header, columns, file });
  try {
    const lines = () =>
      text
        .split('\n')
        .filter((line) => line.trim())
        .map((line) => JSON.parse(line));
    const values = format === 'json' ? JSON.parse(text) : lines();
    if (!Array.isArray(values) || values.some((value) => value === null || typeof value !== 'object')) {
      refuse(`${file} must hold a list of objects`);
    }
    return values;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(`${file} is not ${format === 'json' ? 'JSON' : 'JSON, one value a line'}: ${error.message}`);
  }
}

/**
 * Gives the fields of each line the names of the columns.
 * @param {string[][]} lines
 * @param {{ header: boolean, columns: string[] | null, file: string }} options columns: in place of those in the header
 * @returns {DataRow[]}
 */
function named(lines, { header, columns, file }) {
  const names = columns ?? lines[0] ?? [];
  return (header ? lines.slice(1) : lines).map((fields, i) => {
    if (fields.length !== names.length) {
      refuse(`${file}: row ${i + 1} has ${fields.length} fields, for ${names.length} columns (${names.join(', ')})`);
    }
    return Object.fromEntries(names.map((name, column) => [name, fields[column]]));
  });
}

/** The columns in the placeholders of requests. @param {unknown} requests @returns {string[]} */
function columnsUsed(requests) {
  /** @type {Set<string>} */
  const used = new Set();
  (function walk(/** @type {any} */ value) {
    if (value !== null && typeof value === 'object') Object.values(value).forEach(walk);
    if (typeof value !== 'string' || !value.includes('${row.')) return;
    for (const part of partsOf(value)) if (typeof part === 'object' && part.kind === 'row') used.add(part.name);
  })(requests);
  return [...used];
}
