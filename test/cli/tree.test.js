// folders.json says of each folder what it may import. src/ has rooms: a room may import what is below it, and no two files of src/
// have one name, but a verb and what it does.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/cli.js';
import { sourceOf } from '../support/source-of.js';

/** The text of a file. @param {string} path */
const textOf = (path) => readFileSync(join(root, path), 'utf8');

/** What each folder or file may import. @type {Map<string, string[]>} */
const allowed = new Map(Object.entries(JSON.parse(textOf('test/cli/folders.json'))));

/** The folder that a file comes under. @param {string} file @returns {string} */
function folderOf(file) {
  for (let place = file; place !== '.'; place = dirname(place)) if (allowed.has(place)) return place;
  return assert.fail(`folders.json has no folder for ${file}`);
}

/** What a module or a program of jq takes from another. @param {string} file */
const jqImportsOf = (file) => [...textOf(file).matchAll(/^import "([^"]+)"/gm)].map(([, path]) => `reports/${path}.jq`);

/** What is loaded from another file, or typed by it, is named by a path that begins with a dot. @param {string} file */
const jsImportsOf = (file) =>
  [...textOf(file).matchAll(/'(\.{1,2}\/[^'\s]+\.(?:d\.ts|js))'/g)]
    .map(([, path]) => sourceOf(normalize(join(dirname(file), path))))
    .filter((path) => existsSync(join(root, path)) && !path.startsWith('node_modules/'));

const files = execFileSync('git', ['ls-files', '-z', 'src', 'k6', 'reports', 'site/assets/js', 'site/live'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => /\.(js|(?<!\.d\.)ts|jq)$/.test(file) && existsSync(join(root, file)));

/** @type {{ from: string, to: string, file: string, path: string }[]} */
const imports = files.flatMap((file) =>
  (file.endsWith('.jq') ? jqImportsOf : jsImportsOf)(file)
    .map((path) => ({ from: folderOf(file), to: folderOf(path), file, path }))
    .filter(({ from, to }) => from !== to),
);

describe('folders', () => {
  it('are there', () => {
    for (const place of [...allowed.keys(), ...[...allowed.values()].flat()])
      assert.ok(existsSync(join(root, place)), place);
  });

  it('import what they may', () => {
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
      'take these from folders.json',
    );
  });

  it('cannot be reached from themselves', () => {
    for (const place of allowed.keys()) assert.equal(wayBack(place, allowed), null);
  });

  it('are in rooms that cannot be reached from themselves', () => {
    const roomOf = (/** @type {string} */ place) => place.split('/').slice(0, 2).join('/');
    /** @type {Map<string, string[]>} */
    const rooms = new Map();
    for (const [place, others] of allowed) {
      if (!place.startsWith('src/')) continue;
      const own = rooms.get(roomOf(place)) ?? [];
      rooms.set(roomOf(place), [...own, ...others.map(roomOf).filter((room) => room !== roomOf(place))]);
    }
    for (const room of rooms.keys()) assert.equal(wayBack(room, rooms), null);
  });
});

it('a file has a name of its own', () => {
  const places = new Map();
  for (const file of files.filter((path) => path.startsWith('src/') && !path.startsWith('src/cli/commands/')))
    places.set(basename(file), [...(places.get(basename(file)) ?? []), file]);
  assert.deepEqual(
    [...places.values()].filter((same) => same.length > 1),
    [],
  );
  assert.deepEqual(
    files.filter((file) => basename(file) === 'index.js'),
    [],
  );
});

it('types of other modules are imported at the head of a file', () => {
  const within = files
    .filter((file) => /\.[jt]s$/.test(file))
    .flatMap((file) =>
      [...textOf(file).matchAll(/(?<!typeof )import\('[^']+'\)\.[A-Z]\w*/g)].map(([text]) => `${file}: ${text}`),
    );
  assert.deepEqual(within, [], "write import type { Name } from './module.js'");
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
