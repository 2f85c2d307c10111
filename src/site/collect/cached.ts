import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeJson } from '../../base/io/files.js';
import { packageRoot } from '../../base/tools/find-tool.js';

/**
 * A result that takes seconds to judge is kept with a key of all its sources, and is reused while the key is the same.
 * @param file where it is kept
 */
export async function cached<T>(file: string, key: string, make: () => Promise<T>): Promise<T> {
  const known = await keptWith(file, key);
  if (known !== null) return known as T;
  const value = await make();
  await keepWith(file, key, value);
  return value;
}

/** @returns null: it is not there, damaged, or of another key */
export async function keptWith(file: string, key: string): Promise<unknown> {
  const known = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => null);
  return known?.key === key ? known.value : null;
}

export const keepWith = (file: string, key: string, value: unknown) => writeJson(file, { key, value });

/**
 * Lists the programs by which records are judged, with their modules.
 * @returns files
 */
export function judgingPrograms(): string[] {
  const reports = join(packageRoot, 'reports');
  const programs = namesIn(reports).filter((name) => name.endsWith('.jq'));
  const modules = namesIn(join(reports, 'lib'), { recursive: true }).filter((name) => name.endsWith('.jq'));
  return [...programs, ...modules.map((name) => join('lib', name))].map((name) => join(reports, name));
}

const namesIn = (folder: string, options?: { recursive?: boolean }): string[] =>
  readdirSync(folder, { encoding: 'utf8', ...options }).sort();

/**
 * @param files their names and texts
 * @returns a digest
 */
export async function digestOf(files: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(await readFile(file).catch(() => ''));
  return hash.digest('hex');
}
