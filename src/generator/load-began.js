import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** The first lines of a file are no longer. */
const start_bytes = 64 * 1024;

/**
 * When the load of a k6 process began, as its own files say.
 * @param {string} folder
 * @returns {number | null} epoch milliseconds; null: they do not
 */
export function beganAt(folder) {
  for (const line of firstLines(join(folder, 'histograms.ndjson'))) {
    if (typeof line.started_ms === 'number') return line.started_ms;
  }
  for (const { event, data } of firstLines(join(folder, 'timeline.ndjson'))) {
    const began = event === 'start' ? data?.[0]?.[0] : undefined;
    if (typeof began === 'number') return began;
  }
  return null;
}

/**
 * @param {string} file
 * @returns {{ started_ms?: number, event?: string, data?: number[][] }[]} those that are whole; none where there is no file
 */
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
