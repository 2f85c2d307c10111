import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where it is noted of what a program was built. @param {string} program */
const noteOf = (program) => `${program}.sources`;

/**
 * The hash of the sources of our part of a program, without their tests.
 * @param {string} root of this package
 * @param {readonly string[]} folders in it
 * @returns {string}
 */
function hashOf(root, folders) {
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
 * @param {string} program path
 * @param {string} root of this package
 * @param {readonly string[]} folders of our part
 */
export function noteSources(program, root, folders) {
  writeFileSync(noteOf(program), hashOf(root, folders));
}

/**
 * Whether a program was built of other sources than are there now.
 * @param {string} program path
 * @param {string} root of this package
 * @param {readonly string[]} folders of our part
 * @returns {boolean} true too where it was not noted
 */
export const hasOtherSources = (program, root, folders) =>
  !existsSync(noteOf(program)) || readFileSync(noteOf(program), 'utf8') !== hashOf(root, folders);
