import { sha256 } from 'k6/crypto';
import { partsOf } from '../shared/placeholders.js';
import { refuse } from '../shared/refuse.js';
import { parseCsv } from './csv.js';
import { readFile, within } from './files.js';

/** @import { Rows } from '../../dist/suite/cases/rows.js' */
/** @import { PlannedLoad } from './make-plan.js' */

/**
 * @typedef {Record<string, any>} DataRow
 */

/**
 * Reads the rows of a scenario.
 * @param {PlannedLoad} load with rows
 * @returns {DataRow[][]} of each file, with the columns that the requests use; with all for a script
 */
export function planRows(load) {
  const tables = load.rows.map((rows) => readRows(rows, load.folder));
  const columns = tables.map(([first]) => Object.keys(first));
  const used = load.script === null ? columnsUsed(load.requests) : [...new Set(columns.flat())];
  for (const column of used) {
    const having = load.rows.filter((_, i) => columns[i].includes(column)).map(({ file }) => file);
    const all = load.rows.map(({ file }) => file).join(' and ');
    if (!having.length) refuse(`${all} has no column "${column}", only ${columns.flat().join(', ')}`);
    if (having.length > 1)
      refuse(`the column "${column}" is in ${having.join(' and ')}: name those of one by \`columns\``);
  }
  return tables.map((table, t) => {
    const typed = typesOf(table[0], load.rows[t]);
    const own = used.filter((column) => columns[t].includes(column));
    return table.map((row, i) => Object.fromEntries(own.map((column) => [column, typed(column, row[column], i)])));
  });
}

/** @param {Rows} rows @param {string} folder @returns {DataRow[]} */
function readRows(rows, folder) {
  const path = within(folder, rows.file);
  if (rows.sha256 !== null) compareHash(path, rows);
  const all = parseRows(readFile(path, { what: 'the rows' }).content, rows);
  if (!all.length) refuse(`${rows.file} has no rows`);
  return all;
}

/** @param {string} path @param {Rows} rows */
function compareHash(path, { file, sha256: expectedHash }) {
  const found = sha256(readFile(path, { what: 'the rows', binary: true }).content, 'hex');
  if (found === expectedHash?.toLowerCase()) return;
  refuse(`${file} is not the file that the spec names: its sha256 is ${found}, not ${expectedHash}`);
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

/** A number of JSON: what Number() takes beside it, "" and " 7 " and "0x10", is most likely a mistake. */
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** @type {Record<'number' | 'boolean', (text: string) => number | boolean | undefined>} undefined: it is not one */
const readers = {
  number: (text) => (number.test(text) ? Number(text) : undefined),
  boolean: (text) => ({ true: true, false: false })[text],
};

/**
 * Prepares to give values the types of their columns.
 * @param {DataRow} first row
 * @param {Rows} rows
 * @returns {(column: string, value: any, index: number) => any}
 */
function typesOf(first, { file, types = {} }) {
  const unknown = Object.keys(types).find((column) => !(column in first));
  if (unknown !== undefined) refuse(`${file} has no column "${unknown}", only ${Object.keys(first).join(', ')}`);
  return (column, text, index) => {
    const type = types[column];
    if (type === undefined) return text;
    const value = readers[type](text);
    if (value !== undefined) return value;
    return refuse(`${file}: row ${index + 1}: ${column} is ${JSON.stringify(text)}, and no ${type}`);
  };
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
