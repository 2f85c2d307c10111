/**
 * Ends the run before it begins, with one line: k6 shows a thrown text as it is, and an Error with its stack.
 * @param {string} message what is wrong, where, and what to do
 * @returns {never}
 */
export function refuse(message) {
  throw `benchfolio: ${message}`;
}
