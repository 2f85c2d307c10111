import { parseDuration, showDuration } from './durations.js';
import type { Path, Report } from './error.js';
import { isUnfilled } from './placeholders.js';

/**
 * The part of a scenario that is measured: iterations that start in it.
 * @param load duration: seconds; null: until the iterations are done, at the most so long
 * @returns to_s null: until the iterations are done
 */
export function readWindow(
  written: { from?: string; to?: string },
  { duration, most = '10m' }: { duration: number | null; most?: string },
  path: Path,
  report: Report,
): { from_s: number; to_s: number | null } {
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

function readBound(key: string, text: string, path: Path, report: Report): number {
  try {
    return isUnfilled(text) ? 0 : parseDuration(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report([...path, key], error.message);
    return 0;
  }
}
