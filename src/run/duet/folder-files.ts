import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** More files of a folder than this are not compared: that takes time. */
const most = 2000;

/** @returns absolute, sorted; null: it has too many, or is no folder */
export function filesIn(folder: string): string[] | null {
  try {
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
    return found.length > most ? null : found.map((name) => join(folder, name)).filter(isFile);
  } catch {
    return null;
  }
}

/** @param path also of a link to nothing, or to itself */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
