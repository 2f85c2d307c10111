const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/**
 * Text as it stands in XML, in elements and attributes alike. Control characters have no place in XML, and those that
 * turn text around would make it read as something else.
 * @param {string} text
 * @returns {string}
 */
export const xmlText = (text) =>
  text.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, ' ').replace(/[&<>"']/g, (letter) => entities.get(letter) ?? letter);
