/**
 * A text of one line, for a comment or a terminal: without what controls either, or hides what is there.
 * @param {string} text
 */
export const printable = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
