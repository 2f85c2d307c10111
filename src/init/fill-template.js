import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../base/tools/find-tool.js';

/** @typedef {string | number | string[] | string[][] | Record<string, string>} TemplateValue */

/**
 * A template with its values put in. `"@name@"` becomes the value as TOML or YAML writes it, `@name@` elsewhere its bare
 * text; a line whose value is not there is left out.
 * @param {string} path in src/init/template/
 * @param {Record<string, TemplateValue | undefined>} values
 * @returns {string}
 */
export function fillTemplate(path, values) {
  const placeholder = /"@([a-z_]+)@"|@([a-z_]+)@/g;
  const lines = readFileSync(join(packageRoot, 'src', 'init', 'template', path), 'utf8').split('\n');
  const has = (/** @type {string} */ line) =>
    [...line.matchAll(placeholder)].every(([, quoted, bare]) => values[quoted ?? bare] !== undefined);
  return lines
    .filter(has)
    .join('\n')
    .replace(placeholder, (_, quoted, bare) => {
      const value = /** @type {TemplateValue} */ (values[quoted ?? bare]);
      return quoted === undefined ? String(value) : written(value);
    });
}

/** What TOML and YAML both read. @param {TemplateValue} value @returns {string} */
function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value).replace(/\x7f/g, '\\u007f');
  const named = (/** @type {string} */ key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${named(key)} = ${written(item)}`)
    .join(', ')} }`;
}

/** What is not a placeholder of a spec must not look like one. @param {string} text */
export const literal = (text) => text.replaceAll('${', () => '$${');
