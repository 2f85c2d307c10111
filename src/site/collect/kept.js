import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The places of all files under reports/versions that could be records.
 * @param {string} folder reports/versions
 * @returns {Promise<{ file: string, place: { version: string, system: string, environment: string, case: string } }[]>}
 */
export async function keptPlaces(folder) {
  const places = [];
  for (const version of await folders(folder)) {
    for (const system of await folders(join(folder, version))) {
      for (const environment of await folders(join(folder, version, system))) {
        const inside = join(folder, version, system, environment);
        for (const file of (await readdir(inside)).filter((name) => name.endsWith('.json')).sort()) {
          places.push({ file: join(inside, file), place: { version, system, environment, case: file.slice(0, -5) } });
        }
      }
    }
  }
  return places;
}

/** @param {string} folder @returns {Promise<string[]>} the folders in it; what begins with a dot is being written */
async function folders(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(none);
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name).sort();
}

/** A suite without kept records has no such folder. @param {NodeJS.ErrnoException} error @returns {never[]} */
function none(error) {
  if (error.code === 'ENOENT') return [];
  throw error;
}
