import { UserError } from '../errors.js';
import { namePatterns } from './schema.js';

/** What would be in the way of pages: the folder of a version called v1.html in that of the page of v1. */
const taken = /\.(html|json|csv|svg)$/i;

/**
 * Tells whether a text can name a system, an environment or a case: names become files and addresses, and mean nothing
 * else in either.
 * @param {string} text
 * @returns {boolean}
 */
export const isName = (text) => namePatterns().name.test(text) && !taken.test(text);

/**
 * Tells whether a text can name a version: a folder, and a part of addresses.
 * @param {string} text
 * @returns {boolean}
 */
export const isVersionName = (text) => namePatterns().version.test(text) && !taken.test(text) && text !== 'latest'; // that is the last run

/**
 * Refuses what cannot name a version.
 * @param {string} text
 * @returns {string} the same
 * @throws {UserError}
 */
export function versionName(text) {
  if (isVersionName(text)) return text;
  throw new UserError(`"${text}" cannot name a version`, { hint: hintFor(text) });
}

/** @param {string} text */
function hintFor(text) {
  if (text === 'latest') return '"latest" is the last run.';
  if (taken.test(text)) return 'It would be in the way of a page of that name.';
  return 'A name begins with a letter or a digit and has at most 64 letters, digits and . _ + -, such as v1.4.';
}
