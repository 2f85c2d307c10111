/** A text of one line, for a comment or a terminal: without what controls either, or hides what is there. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
