import { parseDuration, showDuration } from './durations.js';
import { isUnfilled } from './placeholders.js';

/** @import { Path, Report } from './error.js' */

/**
 * The part of a scenario that is measured: iterations that start in it.
 * @param {{ from?: string, to?: string }} written
 * @param {{ duration: number | null, most?: string }} load duration: seconds; null: until the iterations are done, at the most so long
 * @param {Path} path
 * @param {Report} report
 * @returns {{ from_s: number, to_s: number | null }} to_s null: until the iterations are done
 */
export function readWindow(written, { duration, most = '10m' }, path, report) {
  const from = readBound('from', written.from ?? '0s', path, report);
  const to = written.to === undefined ? duration : readBound('to', written.to, path, report);
  const end = duration ?? parseDuration(most); // k6's default
  if (to !== null && duration !== null && to > duration) {
    report([...path, 'to'], `the window ends at ${showDuration(to)}, after the scenario (${showDuration(duration)})`);
  } else if (from >= (to ?? end)) {
    const ends = written.to === undefined ? 'the scenario has ended by' : 'ends at';
    report([...path, 'from'], `the window begins at ${showDuration(from)} and ${ends} ${showDuration(to ?? end)}`);
  }
  return { from_s: from, to_s: to };
}

/** @param {string} key @param {string} text @param {Path} path @param {Report} report @returns {number} */
function readBound(key, text, path, report) {
  try {
    return isUnfilled(text) ? 0 : parseDuration(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report([...path, key], error.message);
    return 0;
  }
}
