// By relative path and full file name: k6 resolves modules as a browser does. The package bundles smol-toml, so that
// the path holds in other people's node_modules too.
import { parse } from '../../node_modules/smol-toml/dist/index.js';
import { SpecError } from './error.js';

/** Says where a text stops being TOML, and why. */
export class TomlError extends SpecError {
  /**
   * @param {string} reason
   * @param {{ line: number, column: number, hint?: string }} place from 1
   */
  constructor(reason, { line, column, hint }) {
    super(`line ${line}, column ${column}: not valid TOML: ${reason}`, { hint });
    this.name = 'TomlError';
    this.reason = reason;
    this.line = line;
    this.column = column;
  }
}

/**
 * Reads TOML.
 * @param {string} text
 * @returns {Record<string, any>} tables are ordinary objects, dates texts
 * @throws {TomlError}
 */
export function parseToml(text) {
  try {
    return ordinary(parse(text));
  } catch (error) {
    throw explained(error, text);
  }
}

/**
 * Turns tables of smol-toml into ordinary objects: theirs have no prototype, which equality and some libraries stumble
 * over.
 * @param {any} value
 * @returns {any}
 */
function ordinary(value) {
  if (Array.isArray(value)) return value.map(ordinary);
  if (value instanceof Date) return value.toISOString(); // a date without a time stays one
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, ordinary(item)]));
}

/** @param {unknown} error of smol-toml @param {string} text */
function explained(error, text) {
  const { message, line, column } = /** @type {Error & { line?: number, column?: number }} */ (error);
  if (line === undefined || column === undefined) return error;
  const reason = message.replace(/^Invalid TOML document: /, '').split('\n')[0];
  const source = text.split(/\r?\n/)[line - 1] ?? '';
  return new TomlError(reason, { line, column, hint: hintFor(source, column) });
}

/** Names the usual cause. @param {string} source the line @param {number} column from 1 @returns {string | undefined} */
function hintFor(source, column) {
  const quotes = source.replaceAll('\\"', '').split('"').length - 1;
  if (column > source.trimEnd().length && quotes % 2) return 'Is a closing quote missing?';
  const bare = /=\s*([A-Za-z0-9][\w.-]*)\s*(#.*)?$/.exec(source)?.[1];
  return bare && !/^(true|false|[\d._+-]+)$/.test(bare) ? `Texts and durations have quotes: "${bare}".` : undefined;
}
