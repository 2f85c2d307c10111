/**
 * Blots secrets out of a text.
 * @param {string} text
 * @param {readonly string[]} secrets
 * @returns {string}
 */
export const redact = (text, secrets) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);

/**
 * Blots secrets out of a text that comes in pieces, wherever it is cut.
 * @param {readonly string[]} secrets
 * @returns {{ push: (piece: string) => string, end: () => string }} both give what can be written by now
 */
export function redactor(secrets) {
  let held = '';
  return {
    push(piece) {
      const text = redact(held + piece, secrets);
      const begun = Math.max(0, ...secrets.map((secret) => endsWithStartOf(text, secret)));
      held = text.slice(text.length - begun);
      return text.slice(0, text.length - begun);
    },
    end: () => held,
  };
}

/**
 * @param {string} text
 * @param {string} secret
 * @returns {number} how many characters at the end of the text the secret may have begun with
 */
function endsWithStartOf(text, secret) {
  for (let length = Math.min(secret.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
