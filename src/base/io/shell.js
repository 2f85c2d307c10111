/**
 * A word as a shell reads it back.
 * @param {string} word
 * @returns {string}
 */
export const quoted = (word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
