// The trees that duets check out: kept while they are used, bounded, shown and deleted.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readProcess } from '../../dist/base/process/processes.js';
import { cachedTrees, dropTrees, treesToDrop } from '../../dist/run/duet/tree-cache.js';
import { benchfolio } from '../support/cli.js';
import { newSuite } from '../support/runs.js';
import { scratchFolder } from '../support/scratch.js';

/** A cache with trees of so many kilobytes, the last used first. @param {Record<string, number>} sizes */
function cacheWith(sizes) {
  const cache = join(scratchFolder('cache'), 'benchfolio');
  for (const [index, [name, kilobytes]] of Object.entries(sizes).entries()) {
    const folder = join(cache, 'trees', name);
    mkdirSync(join(folder, 'deep'), { recursive: true });
    writeFileSync(join(folder, 'deep', 'file'), 'x'.repeat(kilobytes * 1024));
    utimesSync(folder, 1000 - index, 1000 - index);
  }
  return cache;
}

/** @param {string} cache @param {string} tree @param {string} user */
function holdAs(cache, tree, user) {
  mkdirSync(join(cache, 'trees-in-use', tree), { recursive: true });
  writeFileSync(join(cache, 'trees-in-use', tree, user), '');
}

const own = `${process.pid}-${readProcess(process.pid)?.start}`;
const left = (/** @type {string} */ cache) => readdirSync(join(cache, 'trees')).sort();

test('the least recently used go first, by number and by bytes, and none that is in use', async () => {
  const cache = cacheWith({ a: 100, b: 200, c: 300, d: 400 });
  const trees = await cachedTrees(cache);
  assert.deepEqual(
    trees.map(({ name, bytes }) => [name, Math.round(bytes / 102400)]),
    [
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['d', 4],
    ],
  );
  const names = (/** @type {{ trees: number, bytes: number }} */ limit, given = trees) =>
    treesToDrop(given, limit).map(({ name }) => name);
  assert.deepEqual(names({ trees: 4, bytes: 1e9 }), []);
  assert.deepEqual(names({ trees: 2, bytes: 1e9 }), ['c', 'd']);
  assert.deepEqual(names({ trees: 9, bytes: 350_000 }), ['c', 'd']);
  const used = trees.map((tree) => ({ ...tree, inUse: tree.name !== 'c' }));
  assert.deepEqual(names({ trees: 1, bytes: 1 }, used), ['c']);
});

test('a tree that a living process holds stays, also when it was listed before', async () => {
  const cache = cacheWith({ a: 1, b: 1, c: 1 });
  const trees = await cachedTrees(cache);
  holdAs(cache, 'a', own);
  holdAs(cache, 'b', `${process.pid}-1`); // its number is another process's now
  await dropTrees(cache, trees);
  assert.deepEqual(left(cache), ['a']);
  assert.deepEqual(
    (await cachedTrees(cache)).map(({ name, inUse }) => [name, inUse]),
    [['a', true]],
  );
  assert.deepEqual(readdirSync(join(cache, 'trees-in-use')), ['a']);
});

test('doctor shows the cache, and clean deletes what nothing needs', async () => {
  const cache = cacheWith({ a: 100, b: 300 });
  holdAs(cache, 'a', own);
  const cwd = newSuite();
  const ids = Array.from({ length: 22 }, (_, i) => `202601${String(i + 1).padStart(2, '0')}T000000Z-1`);
  for (const id of ids) mkdirSync(join(cwd, '.bench', 'runs', id), { recursive: true });
  const at = { cwd, env: { XDG_CACHE_HOME: join(cache, '..') } };
  const { stdout: rows } = await benchfolio(['doctor'], at);
  assert.match(
    rows,
    /^ok +cache +2 trees of duets, 4\d\d kB \(at most 12 and 8\.00 GB\) in \S+\n +-> npx benchfolio clean/m,
  );
  const dry = await benchfolio(['clean', '--dry-run'], at);
  assert.match(dry.stdout, /trees\/b: 3\d\d kB\n\.bench\/runs\/20260101T000000Z-1: \S+ \S+\n/);
  assert.match(dry.stdout, /\nWould delete 1 tree and 2 runs, 3\d\d kB; 1 tree in use\n$/);
  assert.deepEqual(left(cache), ['a', 'b']);
  const { code, stdout } = await benchfolio(['clean'], at);
  assert.deepEqual([code, stdout], [0, dry.stdout.replace('Would delete', 'Deleted')]);
  assert.deepEqual(left(cache), ['a']);
  assert.deepEqual(readdirSync(join(cwd, '.bench', 'runs')).sort(), ids.slice(2));
  const empty = await benchfolio(['clean'], { cwd: scratchFolder('empty'), env: { XDG_CACHE_HOME: '/nowhere' } });
  assert.deepEqual([empty.code, empty.stdout], [0, 'Deleted 0 trees and 0 runs, 0 B\n']);
  assert.ok(!existsSync('/nowhere'));
});
