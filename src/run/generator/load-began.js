import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** @import { HistogramLine, TimelineLine } from './results.js' */

/** The first lines of a file are no longer. */
const start_bytes = 64 * 1024;

/**
 * When the load of a k6 process began, as its own files say.
 * @param {string} folder
 * @returns {number | null} epoch milliseconds; null: they do not
 */
export function beganAt(folder) {
  const histograms = /** @type {HistogramLine[]} */ (firstLines(join(folder, 'histograms.ndjson')));
  for (const { started_ms } of histograms) if (started_ms !== undefined) return started_ms;
  const timeline = /** @type {TimelineLine[]} */ (firstLines(join(folder, 'timeline.ndjson')));
  for (const { event, data } of timeline) if (event === 'start' && Number.isFinite(data[0]?.[0])) return data[0][0];
  return null;
}

/** @param {string} file @returns {unknown[]} those that are whole; none where there is no file */
function firstLines(file) {
  try {
    const fd = openSync(file, 'r');
    try {
      const buffer = Buffer.alloc(start_bytes);
      const text = buffer.toString('utf8', 0, readSync(fd, buffer, 0, start_bytes, 0));
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    } finally {
      closeSync(fd);
    }
  } catch {
    return [];
  }
}
