import { join } from 'node:path';
import { entriesOf, textOf } from './read.js';

/** @import { Start } from './detect-node.js' */

/**
 * Go: the main package at the root, or the only one under cmd/. It is built once: `go run` would build at each start, and
 * stand between.
 * @param {string} folder
 * @returns {Start | null}
 */
export function goStart(folder) {
  if (textOf(join(folder, 'go.mod')) === null) return null;
  const places = ['.', ...entriesOf(join(folder, 'cmd')).map(({ name }) => `./cmd/${name}`)].filter((place) =>
    isMain(join(folder, place)),
  );
  const [place] = places;
  if (place === undefined || (place !== '.' && places.length > 1)) return null;
  const entry = entriesOf(join(folder, place)).find(({ name }) => name === 'main.go')?.name;
  return {
    argv: [`./${program}`],
    entry: entry ? join(folder, place, entry) : null,
    build: [['go', 'build', '-o', program, place]],
    ignored: [program],
    setUp: { go: 'go.mod' },
    why: `go.mod, and package main in ${place === '.' ? 'this folder' : place}`,
  };
}

/** What the build leaves. */
const program = 'bench-app';

/** @param {string} folder */
const isMain = (folder) =>
  entriesOf(folder).some(
    ({ name }) =>
      name.endsWith('.go') && !name.endsWith('_test.go') && /^package main$/m.test(textOf(join(folder, name)) ?? ''),
  );
