// Large files of a repository are read in linear time.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describedIn } from '../../dist/init/openapi.js';
import { withoutComments } from '../../dist/init/read-repository.js';
import { folderOf } from '../support/cli.js';

describe('init reads large files in time', () => {
  /** @template T @param {() => T} read */
  const within = (read) => {
    const start = performance.now();
    const result = read();
    assert.ok(performance.now() - start < 2000, `${performance.now() - start} ms`);
    return result;
  };

  test('comments without an end, and empty lines', () => {
    for (const text of ['/* '.repeat(66_000), `*/${'/*\n'.repeat(66_000)}`, `${'\n'.repeat(200_000)}x`])
      assert.ok(within(() => withoutComments(text)) === text); // not equal(), which compares long texts slowly
  });

  test('many addresses and parameters', async () => {
    const parameters = Array.from({ length: 20_000 }, (_, at) => ({ name: `p${at}`, in: 'query' }));
    const paths = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`/a${at}`, { get: {} }]));
    const text = JSON.stringify({ openapi: '3.1.0', paths: { ...paths, '/b': { get: { parameters } } } });
    const folder = await folderOf({ 'openapi.json': text });
    assert.equal(within(() => describedIn(folder))?.requests.length, 10);
  });

  test('an address of many slashes, that all paths would begin with', async () => {
    const servers = [{ url: `http://x/${'/'.repeat(100_000)}v1//` }];
    const paths = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`/a${at}`, { get: {} }]));
    const folder = await folderOf({ 'openapi.json': JSON.stringify({ openapi: '3.1.0', servers, paths }) });
    assert.equal(
      within(() => describedIn(folder)),
      null,
    );
  });
});
