import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeJson } from '../../io/files.js';
import { packageRoot } from '../../tools/find.js';

/**
 * What takes seconds to judge is kept with a key of all that it came from, and taken as it was while that is the same.
 * @template T
 * @param {string} file where it is kept
 * @param {string} key
 * @param {() => Promise<T>} make
 * @returns {Promise<T>}
 */
export async function cached(file, key, make) {
  const known = await keptWith(file, key);
  if (known !== null) return known;
  const value = await make();
  await keepWith(file, key, value);
  return value;
}

/**
 * @param {string} file
 * @param {string} key
 * @returns {Promise<any | null>} null: it is not there, damaged, or of another key
 */
export async function keptWith(file, key) {
  const known = await readFile(file, 'utf8')
    .then(JSON.parse)
    .catch(() => null);
  return known?.key === key ? known.value : null;
}

/**
 * @param {string} file
 * @param {string} key
 * @param {unknown} value
 */
export const keepWith = (file, key, value) => writeJson(file, { key, value });

/**
 * The jq programs by which a suite's records are judged: its own and ours.
 * @param {string} root of the suite
 * @returns {Promise<string[]>} files
 */
export async function judgingPrograms(root) {
  const names = await Promise.all(
    [root, packageRoot]
      .flatMap((home) => [join(home, 'reports'), join(home, 'reports', 'lib')])
      .map(async (folder) =>
        (await readdir(folder).catch(() => []))
          .filter((name) => name.endsWith('.jq'))
          .sort()
          .map((name) => join(folder, name)),
      ),
  );
  return [...new Set(names.flat())];
}

/** @param {string[]} files their names and texts @returns {Promise<string>} a digest */
export async function digestOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(await readFile(file).catch(() => ''));
  return hash.digest('hex');
}
