/**
 * A text, or its beginning. The mark says where it was cut: a secret that was cut within is found by it.
 * @param {string} text
 * @param {number} most characters
 */
export const shortened = (text, most) => (text.length > most ? `${text.slice(0, most)}…` : text);
