import { cp, rename, rm } from 'node:fs/promises';

/**
 * Puts a finished folder in another's place: the old one is whole until the new one is.
 * @param {string} folder
 * @param {string} next becomes folder; gone afterwards
 */
export async function replaceFolder(folder, next) {
  const old = `${next}.old`;
  await move(folder, old).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await move(next, folder);
  await rm(old, { recursive: true, force: true });
}

/**
 * @param {string} from
 * @param {string} to
 */
async function move(from, to) {
  await rename(from, to).catch(async (error) => {
    if (error.code !== 'EXDEV') throw error; // .bench may be on another disk
    await cp(from, to, { recursive: true });
    await rm(from, { recursive: true, force: true });
  });
}
