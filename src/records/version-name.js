import { UserError } from '../errors.js';

const pattern = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;

/**
 * Is this text the name of a version? It is a folder and a part of addresses.
 * @param {string} text
 */
export const isVersionName = (text) => pattern.test(text) && text !== 'latest'; // that is the last run

/**
 * Refuses what cannot name a version.
 * @param {string} text
 * @returns {string} the same
 * @throws {UserError}
 */
export function versionName(text) {
  if (isVersionName(text)) return text;
  throw new UserError(`"${text}" cannot name a version`, {
    hint:
      text === 'latest'
        ? '"latest" is the last run.'
        : 'A name begins with a letter or a digit and has at most 64 letters, digits and . _ + -, such as v1.4.',
  });
}
