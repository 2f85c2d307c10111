import { basename, isAbsolute, join, normalize } from 'node:path';
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
  const place = onlyMain(mainsIn(folder));
  if (place === undefined) return null;
  const entry = entriesOf(join(folder, place)).find(({ name }) => name === 'main.go')?.name;
  return {
    argv: [`./${program}`],
    entry: entry ? join(folder, place, entry) : null,
    ...built(program, place),
    why: `go.mod, and package main in ${place === '.' ? 'this folder' : place}`,
  };
}

/** What the build leaves. */
const program = 'bench-app';

/** @param {string} path @param {string} place of the main package */
const built = (path, place) => ({
  build: [['go', 'build', '-o', path, place]],
  ignored: [path],
  setUp: { go: 'go.mod' },
});

/**
 * The build of a program that a command starts by its path: the main package that is called so, else the only one.
 * @param {string} folder
 * @param {string} path relative to it
 * @returns {Pick<Start, 'build' | 'ignored' | 'setUp'> | null} null: which package it is, is not known, or a script is there
 */
export function goBuildOf(folder, path) {
  const there = textOf(join(folder, path));
  if (isAbsolute(path) || (there !== null && !there.includes('\0'))) return null;
  const mains = mainsIn(folder);
  const place = mains.find((main) => basename(main) === basename(path)) ?? onlyMain(mains);
  return place === undefined ? null : built(normalize(path), place);
}

/** @param {string} folder @returns {string[]} the main packages at the root and under cmd/ */
const mainsIn = (folder) =>
  ['.', ...entriesOf(join(folder, 'cmd')).map(({ name }) => `./cmd/${name}`)].filter((place) =>
    isMain(join(folder, place)),
  );

/** @param {string[]} mains */
const onlyMain = (mains) => (mains[0] === '.' || mains.length === 1 ? mains[0] : undefined);

/** @param {string} folder */
const isMain = (folder) =>
  entriesOf(folder).some(
    ({ name }) =>
      name.endsWith('.go') && !name.endsWith('_test.go') && /^package main$/m.test(textOf(join(folder, name)) ?? ''),
  );
