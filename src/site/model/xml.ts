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
 */
export const xmlText = (text: string): string =>
  text.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, ' ').replace(/[&<>"']/g, (letter) => entities.get(letter) ?? letter);
