// By relative path and full file name: k6 resolves modules as a browser does. The package bundles smol-toml, so that
// the path holds in other people's node_modules too.
import { parse } from '../../node_modules/smol-toml/dist/index.js';

/**
 * Reads TOML.
 * @param {string} text
 * @returns {Record<string, any>} tables are ordinary objects, dates texts
 * @throws {Error} a TomlError of smol-toml, with line and column
 */
export const parseToml = (text) => ordinary(parse(text));

/**
 * Tables of smol-toml have no prototype, which equality and some libraries stumble over.
 * @param {any} value
 * @returns {any}
 */
function ordinary(value) {
  if (Array.isArray(value)) return value.map(ordinary);
  if (value instanceof Date) return value.toISOString(); // a date without a time stays one
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, ordinary(item)]));
}
