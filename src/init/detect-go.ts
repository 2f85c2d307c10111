import { basename, isAbsolute, join, normalize } from 'node:path';
import type { Start } from './detect-node.js';
import { entriesOf, textOf } from './read-repository.js';

/**
 * Go: the main package at the root, or the only one under cmd/. It is built once: `go run` would build at each start, and
 * stand between.
 */
export function goStart(folder: string): Start | null {
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

/** @param packagePath of the main package */
const built = (path: string, packagePath: string) => ({
  build: [['go', 'build', '-o', path, packagePath]],
  ignored: [path],
  setUp: { go: 'go.mod' },
});

/**
 * The build of a program that a command starts by its path: the main package that is called so, else the only one.
 * @param path relative to it
 * @returns null: which package it is, is not known, or a script is there
 */
export function goBuildOf(folder: string, path: string): Pick<Start, 'build' | 'ignored' | 'setUp'> | null {
  const there = textOf(join(folder, path));
  if (isAbsolute(path) || (there !== null && !there.includes('\0'))) return null;
  const mains = mainsIn(folder);
  const packagePath = mains.find((main) => basename(main) === basename(path)) ?? onlyMain(mains);
  return packagePath === undefined ? null : built(normalize(path), packagePath);
}

/** @returns the main packages at the root and under cmd/ */
const mainsIn = (folder: string): string[] =>
  ['.', ...entriesOf(join(folder, 'cmd')).map(({ name }) => `./cmd/${name}`)].filter((packagePath) =>
    isMain(join(folder, packagePath)),
  );

const onlyMain = (mains: string[]) => (mains[0] === '.' || mains.length === 1 ? mains[0] : undefined);

const isMain = (folder: string) =>
  entriesOf(folder).some(
    ({ name }) =>
      name.endsWith('.go') && !name.endsWith('_test.go') && /^package main$/m.test(textOf(join(folder, name)) ?? ''),
  );
