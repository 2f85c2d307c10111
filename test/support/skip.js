/**
 * Ends a program that cannot try here what it is for. It says why; the table of test/make/stages.js has it.
 * @param {string} why what is missing, and for what where that is not all
 * @returns {never}
 */
export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit();
}
