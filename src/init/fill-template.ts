import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../base/tools/find-tool.js';

type TemplateValue = string | number | string[] | string[][] | Record<string, string>;

/**
 * A template with its values put in. `"@name@"` becomes the value as TOML or YAML writes it, `@name@` elsewhere its bare
 * text; a line whose value is not there is left out.
 * @param path in src/init/template/
 */
export function fillTemplate(path: string, values: Record<string, TemplateValue | undefined>): string {
  const placeholder = /"@([a-z_]+)@"|@([a-z_]+)@/g;
  const lines = readFileSync(join(packageRoot, 'src', 'init', 'template', path), 'utf8').split('\n');
  const has = (line: string) =>
    [...line.matchAll(placeholder)].every(([, quoted, bare]) => values[quoted ?? bare] !== undefined);
  return lines
    .filter(has)
    .join('\n')
    .replace(placeholder, (_, quoted, bare) => {
      const value = values[quoted ?? bare] as TemplateValue;
      return quoted === undefined ? String(value) : written(value);
    });
}

/** What TOML and YAML both read. */
function written(value: TemplateValue): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value).replace(/\x7f/g, '\\u007f');
  const named = (key: string) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${named(key)} = ${written(item)}`)
    .join(', ')} }`;
}

/** What is not a placeholder of a spec must not look like one. */
export const literal = (text: string) => text.replaceAll('${', () => '$${');
