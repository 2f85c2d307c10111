// CONTRIBUTING.md has a line for each folder that says what it may import.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/cli.js';

/** The text of a file. @param {string} path */
const textOf = (path) => readFileSync(join(root, path), 'utf8');

/** What each line allows, by its folder or file. @type {Map<string, string[]>} */
const allowed = new Map(
  [...textOf('CONTRIBUTING.md').matchAll(/^- `([^`]+?)\/?`: .* Imports: (.*)\.$/gm)].map(([, place, names]) => [
    place,
    names === 'nothing' ? [] : names.split(', ').map(placeOf),
  ]),
);

/** The folder or file that a line calls by this name. @param {string} name */
function placeOf(name) {
  const place = [`src/${name}`, `src/${name}.js`, name].find((path) => existsSync(join(root, path)));
  assert.ok(place, `CONTRIBUTING.md: "${name}" is neither in src/ nor in the root`);
  return place;
}

/** The line that a file comes under. @param {string} file @returns {string} */
function lineOf(file) {
  for (let place = file; place !== '.'; place = dirname(place)) if (allowed.has(place)) return place;
  return assert.fail(`CONTRIBUTING.md has no line for ${file}`);
}

/** What a module or a program of jq takes from another. @param {string} file */
const jqImportsOf = (file) => [...textOf(file).matchAll(/^import "([^"]+)"/gm)].map(([, path]) => `reports/${path}.jq`);

/** What is loaded from another file, or typed by it, is named by a path that begins with a dot. @param {string} file */
const jsImportsOf = (file) =>
  [...textOf(file).matchAll(/'(\.{1,2}\/[^'\s]+\.(?:d\.ts|js))'/g)]
    .map(([, path]) => normalize(join(dirname(file), path)))
    .filter((path) => existsSync(join(root, path)) && !path.startsWith('node_modules/'));

const files = execFileSync('git', ['ls-files', '-z', 'src', 'k6', 'reports', 'site/assets/js'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => /\.(js|jq)$/.test(file) && existsSync(join(root, file)));

/** @type {{ from: string, to: string, file: string, path: string }[]} */
const imports = files.flatMap((file) =>
  (file.endsWith('.jq') ? jqImportsOf : jsImportsOf)(file)
    .map((path) => ({ from: lineOf(file), to: lineOf(path), file, path }))
    .filter(({ from, to }) => from !== to),
);

describe('folders', () => {
  it('are there', () => {
    for (const place of allowed.keys()) assert.ok(existsSync(join(root, place)), `${place} is only in CONTRIBUTING.md`);
  });

  it('import what their lines allow', () => {
    const forbidden = imports.filter(({ from, to }) => !allowed.get(from)?.includes(to));
    assert.deepEqual(
      forbidden.map(({ from, to, file, path }) => `${file} imports ${path}: ${from} may not import ${to}`),
      [],
    );
  });

  it('are allowed what they import, and no more', () => {
    const used = new Set(imports.map(({ from, to }) => `${from} imports ${to}`));
    const unused = [...allowed].flatMap(([from, all]) => all.map((to) => `${from} imports ${to}`));
    assert.deepEqual(
      unused.filter((line) => !used.has(line)),
      [],
      'take these from their lines in CONTRIBUTING.md',
    );
  });

  it('cannot be reached from themselves', () => {
    for (const place of allowed.keys()) assert.equal(wayBack(place, allowed), null);
  });
});

it('a module of jq is called what its file is called', () => {
  const odd = files
    .filter((file) => file.endsWith('.jq'))
    .flatMap((file) =>
      [...textOf(file).matchAll(/^import "([^"]+)" as (\w+)/gm)].map(([line, ...named]) => ({ file, line, named })),
    )
    .filter(({ named: [path, alias] }) => path.split('/').at(-1)?.replaceAll('-', '_') !== alias);
  assert.deepEqual(
    odd.map(({ file, line }) => `${file}: ${line}`),
    [],
  );
});

/**
 * A way from a place over what it imports back to itself.
 * @param {string} start
 * @param {Map<string, string[]>} graph
 * @returns {string | null}
 */
function wayBack(start, graph) {
  const ways = [[start]];
  const seen = new Set();
  for (const way of ways) {
    for (const next of graph.get(way[way.length - 1]) ?? []) {
      if (next === start) return [...way, next].join(' -> ');
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return null;
}
