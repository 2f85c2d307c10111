import { hash } from 'node:crypto';
import { linkSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeJson } from '../../base/io/files.js';

/** What a build takes over from the one before: of a thousand pages one new record changes a few. */
export type Before = {
  /**
   * puts the file of that path into the new folder when it was made from the same and was not touched since; false: it has to
   * be made. Its folder must be there
   */
  takeOver: (path: string, key: string, destination: string) => boolean;
  /** remembers what is in public/ now, from what it was made */
  keep: () => Promise<void>;
};

/** The sources of a file, and how to see that it is unchanged. */
type MadeFile = [key: string, size: number, changed: number];

/**
 * @param folder public/, as the build before left it
 * @param list where it is remembered what its files were made from
 */
export async function openBefore(folder: string, list: string): Promise<Before> {
  const known: Record<string, MadeFile> = await readFile(list, 'utf8')
    .then(JSON.parse)
    .catch(() => ({}));
  const keys: Map<string, string> = new Map();
  return {
    takeOver(path, key, destination) {
      keys.set(path, key);
      const made = known[path];
      if (made?.[0] !== key || !isSame(stateOf(join(folder, path)), made)) return false;
      try {
        linkSync(join(folder, path), join(destination, path)); // the folder before is deleted, the file stays
        return true;
      } catch {
        return false; // another disk, or one without links
      }
    },
    async keep() {
      const all = [...keys].map(([path, key]) => [path, [key, ...stateOf(join(folder, path))]]);
      await writeJson(list, Object.fromEntries(all));
    },
  };
}

function stateOf(file: string): [size: number, changed: number] {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? [found.size, found.mtimeMs] : [0, 0];
}

const isSame = ([size, changed]: [number, number], [, sizeThen, changedThen]: MadeFile) =>
  changed !== 0 && size === sizeThen && changed === changedThen;

/** Not against anybody who means harm: one who can write here can write the page. */
export const keyOf = (text: string) => hash('sha1', text);
