import { lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** More files than this are not looked at: that takes time before the load. */
const most = 200_000;

/** What we write ourselves. */
const ours = /(^|\/)\.bench(\/|$)/;

/**
 * Notes when each file of a folder was changed last, by the clock of the kernel, which no program can set back (inode(7), ctime).
 * @returns by path; null: there are too many
 */
export function changeTimes(folder: string): Map<string, number> | null {
  const times = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (ours.test(relative(folder, path)) || entry.isDirectory()) continue;
    times.set(relative(folder, path), lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0);
    if (times.size > most) return null;
  }
  return times;
}

/**
 * Finds a file that was written, made or deleted since.
 * @returns null: none was, or it is unknown
 */
export function touchedFile(before: Map<string, number> | null, after: Map<string, number> | null): string | null {
  if (before === null || after === null) return null;
  for (const [path, time] of after) if (before.get(path) !== time) return path;
  for (const path of before.keys()) if (!after.has(path)) return path;
  return null;
}
