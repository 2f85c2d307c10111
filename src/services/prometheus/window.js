import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { driverMetrics } from '../../cases/tables.js';

/**
 * The measured window of k6 processes that ran at the same time, as reports/lib/reduce/window.jq has it for k6's and the
 * services' metrics.
 * @param {readonly string[]} folders of their summaries
 * @param {import('../../cases/index.js').Case} benchCase as they measured it
 * @returns {{ from: number, to: number } | null} epoch milliseconds; null: no iteration was started, or none in it
 */
export function windowOf(folders, { window }) {
  const all = folders.map((folder) => JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')).metrics);
  const started = Math.min(...all.map((metrics) => metrics[driverMetrics.started.name]?.values.min ?? Infinity));
  if (started === Infinity) return null;
  const ended = Math.max(...all.map((metrics) => metrics[driverMetrics.ended.name]?.values.max ?? started));
  const from_s = window.from_s ?? 0;
  const seconds = (window.to_s ?? (ended - started) / 1000) - from_s;
  const from = Math.round(started + from_s * 1000);
  return seconds > 0 ? { from, to: Math.round(from + seconds * 1000) } : null;
}
