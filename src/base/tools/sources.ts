import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where it is noted of what a program was built. */
const noteOf = (program: string) => `${program}.sources`;

/**
 * The hash of the sources of our part of a program, without their tests.
 * @param root of this package
 * @param folders in it
 */
function hashOf(root: string, folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => /\.go$|go\.(mod|sum)$/.test(file) && !file.endsWith('_test.go')).sort();
    for (const file of sources) hash.update(`${folder}/${file}\0`).update(readFileSync(join(root, folder, file)));
  }
  return hash.digest('hex');
}

/**
 * Notes of what a program was built.
 * @param program path
 * @param root of this package
 * @param folders of our part
 */
export function noteSources(program: string, root: string, folders: readonly string[]) {
  writeFileSync(noteOf(program), hashOf(root, folders));
}

/**
 * Whether a program was built of other sources than are there now.
 * @param program path
 * @param root of this package
 * @param folders of our part
 * @returns true too where it was not noted
 */
export const hasOtherSources = (program: string, root: string, folders: readonly string[]): boolean =>
  !existsSync(noteOf(program)) || readFileSync(noteOf(program), 'utf8') !== hashOf(root, folders);
