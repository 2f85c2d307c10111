import type { Path, Report } from './error.js';

/**
 * Reads a value, and reports what is wrong with it at its place.
 * @param read throws a RangeError when there is something wrong
 * @returns null: it was reported
 */
export function attempt<T>(read: () => T, path: Path, report: Report): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report(path, error.message);
    return null;
  }
}
