// How fast a slower network is.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { page, registry, shaped } from '../support/network.js';

/** @param {() => Promise<unknown>} work @returns {Promise<number>} seconds */
async function timeOf(work) {
  const before = performance.now();
  await work();
  return (performance.now() - before) / 1000;
}

describe('a slower network', { concurrency: true }, () => {
  test('gives each of eight connections its bandwidth, and none more', async (context) => {
    const { url } = await registry(context);
    const network = await shaped(context, url, { bandwidth_bytes_per_second: 500_000 });
    const download = async () => assert.equal((await (await fetch(network.url)).arrayBuffer()).byteLength, page.length);
    const times = await Promise.all(Array.from({ length: 8 }, () => timeOf(download)));
    // A busy machine can make it slower, nothing may make it faster.
    for (const seconds of times) assert.ok(seconds >= 1.8, `a megabyte took ${seconds} s`);
    const open = await timeOf(() => fetch(url).then((response) => response.arrayBuffer()));
    assert.ok(open < Math.min(...times));
    await network.stop();
  });

  test('lets what is sent come later', async (context) => {
    const { url } = await registry(context);
    const network = await shaped(context, url, { latency_ms: 300, jitter_ms: 20 });
    assert.ok((await timeOf(() => fetch(`${network.url}/left-pad`).then((response) => response.text()))) >= 0.27);
    await network.stop();
  });
});
