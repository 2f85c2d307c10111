import { basename, isAbsolute, join, normalize } from 'node:path';
import { entriesOf, textOf } from './read-repository.js';

/** @import { Start } from './detect-node.js' */

/**
 * Go: the main package at the root, or the only one under cmd/. It is built once: `go run` would build at each start, and
 * stand between.
 * @param {string} folder
 * @returns {Start | null}
 */
export function goStart(folder) {
  if (textOf(join(folder, 'go.mod')) === null) return null;
  const packagePath = onlyMain(mainsIn(folder));
  if (packagePath === undefined) return null;
  const entry = entriesOf(join(folder, packagePath)).find(({ name }) => name === 'main.go')?.name;
  return {
    argv: [`./${program}`],
    entry: entry ? join(folder, packagePath, entry) : null,
    ...built(program, packagePath),
    why: `go.mod, and package main in ${packagePath === '.' ? 'this folder' : packagePath}`,
  };
}

/** What the build leaves. */
const program = 'bench-app';

/** @param {string} path @param {string} packagePath of the main package */
const built = (path, packagePath) => ({
  build: [['go', 'build', '-o', path, packagePath]],
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
  const packagePath = mains.find((main) => basename(main) === basename(path)) ?? onlyMain(mains);
  return packagePath === undefined ? null : built(normalize(path), packagePath);
}

/** @param {string} folder @returns {string[]} the main packages at the root and under cmd/ */
const mainsIn = (folder) =>
  ['.', ...entriesOf(join(folder, 'cmd')).map(({ name }) => `./cmd/${name}`)].filter((packagePath) =>
    isMain(join(folder, packagePath)),
  );

/** @param {string[]} mains */
const onlyMain = (mains) => (mains[0] === '.' || mains.length === 1 ? mains[0] : undefined);

/** @param {string} folder */
const isMain = (folder) =>
  entriesOf(folder).some(
    ({ name }) =>
      name.endsWith('.go') && !name.endsWith('_test.go') && /^package main$/m.test(textOf(join(folder, name)) ?? ''),
  );
