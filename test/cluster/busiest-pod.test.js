import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { putBusiestFirst } from '../../dist/run/cluster/busiest-pod.js';
import { folderOf } from '../support/cli.js';

/** A line a second, of k6 that uses a share of a core. @param {number} share */
const samples = (share) =>
  [0, 1000, 2000].map((t) => `${JSON.stringify({ t, k6: { cpu_ns: t * 1e6 * share, memory_bytes: 1e6 } })}\n`).join('');

/** @param {{ boot: string, share: number }[]} pods */
async function rounds(pods) {
  const files = pods.flatMap(({ share }, i) => [
    [`instance-${i + 1}/services.ndjson`, samples(share)],
    [`instance-${i + 1}/name`, `pod ${i + 1}`],
  ]);
  const folder = await folderOf(Object.fromEntries(files));
  const folders = pods.map((_, i) => join(folder, `instance-${i + 1}`));
  const results = pods.map(({ boot }) => ({ boot, machine: { cores: 4 } }));
  await putBusiestFirst(/** @type {any} */ (results), folders);
  const read = (/** @type {string} */ name, at = 0) => readFileSync(join(folders[at], name), 'utf8');
  const lines = read('services.ndjson').trim().split('\n');
  return { names: folders.map((_, i) => read('name', i)), used: JSON.parse(lines[2]).k6.cpu_ns / 1e9, folder };
}

describe('by which pod is judged whether the load was kept up', () => {
  it('is the busiest, wherever it stood', async () => {
    const { names, used, folder } = await rounds([
      { boot: 'a', share: 0.1 },
      { boot: 'b', share: 0.2 },
      { boot: 'c', share: 1.5 },
    ]);
    assert.deepEqual([names, used], [['pod 3', 'pod 2', 'pod 1'], 3]);
    assert.ok(!existsSync(join(folder, 'instance-1.aside')));
  });
  it('counts all pods of one node, for they share its cores', async () => {
    const { names, used } = await rounds([
      { boot: 'a', share: 1 },
      { boot: 'b', share: 0.75 },
      { boot: 'b', share: 0.75 },
    ]);
    assert.deepEqual([names, used], [['pod 2', 'pod 1', 'pod 3'], 3]);
  });
  it('is left where it is where there is one', async () => {
    assert.deepEqual((await rounds([{ boot: 'a', share: 0.5 }])).names, ['pod 1']);
  });
});
