/** @import { Path, Report } from './error.js' */

/**
 * Reads a value, and reports what is wrong with it at its place.
 * @template T
 * @param {() => T} read throws a RangeError when there is something wrong
 * @param {Path} path
 * @param {Report} report
 * @returns {T | null} null: it was reported
 */
export function attempt(read, path, report) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(path, error.message);
    return null;
  }
}
