import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { HistogramLine, TimelineLine } from './results.js';

/** The first lines of a file are no longer. */
const start_bytes = 64 * 1024;

/**
 * When the load of a k6 process began, as its own files say.
 * @returns epoch milliseconds; null: they do not
 */
export function beganAt(folder: string): number | null {
  const histograms = firstLines(join(folder, 'histograms.ndjson')) as HistogramLine[];
  for (const { started_ms } of histograms) if (started_ms !== undefined) return started_ms;
  const timeline = firstLines(join(folder, 'timeline.ndjson')) as TimelineLine[];
  for (const { event, data } of timeline) if (event === 'start' && Number.isFinite(data[0]?.[0])) return data[0][0];
  return null;
}

/** @returns those that are whole; none where there is no file */
function firstLines(file: string): unknown[] {
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
