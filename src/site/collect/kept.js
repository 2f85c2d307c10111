import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** @typedef {{ file: string, place: { version: string, system: string, environment: string, case: string } }} Kept */

/**
 * The places of all files under reports/versions that could be records.
 * @param {string} folder reports/versions
 * @param {(file: string, message: string) => void} refuse told of a folder that cannot be read
 * @returns {Promise<Kept[]>}
 */
export async function keptPlaces(folder, refuse) {
  /** @type {Kept[]} */
  const places = [];
  const folders = (/** @type {string} */ inside) => entriesOf(inside, refuse).then(foldersOf);
  for (const version of await folders(folder)) {
    for (const system of await folders(join(folder, version))) {
      for (const environment of await folders(join(folder, version, system))) {
        const inside = join(folder, version, system, environment);
        const names = (await entriesOf(inside, refuse)).map(({ name }) => name);
        for (const file of names.filter((name) => name.endsWith('.json')).sort()) {
          places.push({ file: join(inside, file), place: { version, system, environment, case: file.slice(0, -5) } });
        }
      }
    }
  }
  return places;
}

/** @param {import('node:fs').Dirent[]} entries @returns {string[]} the folders; what begins with a dot is being written */
const foldersOf = (entries) =>
  entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .sort();

/**
 * A suite without kept records has no such folder.
 * @param {string} folder
 * @param {(file: string, message: string) => void} refuse
 */
const entriesOf = (folder, refuse) =>
  readdir(folder, { withFileTypes: true }).catch((/** @type {NodeJS.ErrnoException} */ { code }) => {
    if (code !== 'ENOENT') refuse(folder, `it cannot be read (${code})`);
    return [];
  });
