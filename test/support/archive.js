// Text archives: the files of a fixture in one, each after a line `-- path --`, as in Go's package txtar.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './cli.js';
import { scratchFolder } from './scratch.js';

const fixtures = join(root, 'test', 'fixtures');
const ending = '.txtar';

/**
 * The archives in a folder of fixtures.
 * @param {string} kind 'broken', 'raw'
 * @returns {string[]} their names, without the ending
 */
export const archivesOf = (kind) =>
  readdirSync(join(fixtures, kind))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length));

/**
 * Writes the files of an archive into a new folder, gone when the test's process ends.
 * @param {string} kind
 * @param {string} name
 * @returns {string} the folder's path
 */
export function unpack(kind, name) {
  const folder = scratchFolder(kind);
  const [, ...parts] = readFileSync(join(fixtures, kind, name + ending), 'utf8').split(/^-- (.+) --\n/m);
  for (let i = 0; i < parts.length; i += 2) {
    const file = join(folder, parts[i]);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, parts[i + 1]);
  }
  return folder;
}

/**
 * Makes an archive of the files in a folder; a text without a last line end gets one.
 * @param {string} kind
 * @param {string} name
 * @param {string} folder
 */
export function pack(kind, name, folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const texts = files.map((file) => {
    const text = readFileSync(file, 'utf8');
    return `-- ${relative(folder, file)} --\n${text && !text.endsWith('\n') ? `${text}\n` : text}`;
  });
  mkdirSync(join(fixtures, kind), { recursive: true });
  writeFileSync(join(fixtures, kind, name + ending), texts.join(''));
}
