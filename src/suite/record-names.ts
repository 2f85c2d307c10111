import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../base/errors.js';
import { packageRoot } from '../base/tools/find-tool.js';

/** What would be in the way of pages: the folder of a version called v1.html in that of the page of v1. */
const taken = /\.(html|json|csv|svg)$/i;

/**
 * Tells whether a text can name a system, an environment or a case: names become files and addresses, and mean nothing
 * else in either.
 */
export const isName = (text: string): boolean => namePatterns().name.test(text) && !taken.test(text);

/** Tells whether a text can name a version: a folder, and a part of addresses. */
export const isVersionName = (text: string): boolean =>
  namePatterns().version.test(text) && !taken.test(text) && text !== 'latest'; // that is the last run

/**
 * Refuses what cannot name a version.
 * @returns the same
 * @throws {UserError}
 */
export function versionName(text: string): string {
  if (isVersionName(text)) return text;
  throw new UserError(`"${text}" cannot name a version`, { hint: hintFor(text) });
}

function hintFor(text: string) {
  if (text === 'latest') return '"latest" is the last run.';
  if (taken.test(text)) return 'It would be in the way of a page of that name.';
  return 'A name begins with a letter or a digit and has at most 64 letters, digits and . _ + -, such as v1.4.';
}

let patterns: { name: RegExp; version: RegExp } | undefined;

/**
 * Reads what names in a record may be from its schema.
 * @returns name: of a system, an environment or a case
 */
function namePatterns(): { name: RegExp; version: RegExp } {
  if (!patterns) {
    const schema = join(packageRoot, 'reports', 'schema', 'record.schema.json');
    const { definitions, properties } = JSON.parse(readFileSync(schema, 'utf8'));
    patterns = { name: new RegExp(definitions.name.pattern), version: new RegExp(properties.version.pattern) };
  }
  return patterns;
}
