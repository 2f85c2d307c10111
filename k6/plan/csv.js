import { refuse } from '../shared/refuse.js';

/**
 * Reads CSV (RFC 4180) with a delimiter of any length. A field may stand in double quotes, which are doubled within;
 * line ends may be \n or \r\n; empty lines are skipped, and so is a byte order mark.
 * @param {string} text
 * @param {string} delimiter
 * @param {string} file for errors
 * @returns {string[][]}
 */
export function parseCsv(text, delimiter, file) {
  const body = text.replace(/^\uFEFF/, '');
  return body.includes('"') ? parseQuoted(body, delimiter, file) : parsePlain(body, delimiter);
}

/** @param {string} text @param {string} delimiter */
const parsePlain = (text, delimiter) =>
  text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => line.split(delimiter));

/** @param {string} text @param {string} delimiter @param {string} file */
function parseQuoted(text, delimiter, file) {
  const rows = [];
  /** @type {string[]} */
  let row = [];
  let at = 0;
  while (at < text.length) {
    const { field, end } = text[at] === '"' ? quotedField(text, at, file) : plainField(text, at, delimiter);
    row.push(field);
    at = end;
    if (text.startsWith(delimiter, at)) {
      at += delimiter.length;
      if (at < text.length && text[at] !== '\n' && text[at] !== '\r') continue;
      row.push(''); // a line that ends with the delimiter has an empty field there
    }
    const lineEnd = /\r?\n|$/y;
    lineEnd.lastIndex = at;
    const match = lineEnd.exec(text);
    if (match === null) refuse(`${file}: row ${rows.length + 1} has text after a closing quote`);
    at += match[0].length;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

/** @param {string} text @param {number} start @param {string} file */
function quotedField(text, start, file) {
  let end = start + 1;
  for (;;) {
    end = text.indexOf('"', end);
    if (end < 0) refuse(`${file}: a quote is not closed: ${text.slice(start, start + 40)}`);
    if (text[end + 1] !== '"') break;
    end += 2;
  }
  return { field: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 };
}

/** @param {string} text @param {number} start @param {string} delimiter */
function plainField(text, start, delimiter) {
  const newline = text.indexOf('\n', start);
  const lineEnd = newline < 0 ? text.length : newline - (text[newline - 1] === '\r' ? 1 : 0);
  const next = text.indexOf(delimiter, start);
  const end = next < 0 || next > lineEnd ? lineEnd : next;
  return { field: text.slice(start, end), end };
}
