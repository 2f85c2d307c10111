import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { watchPods } from '../../dist/run/cluster/watch-pods.js';

/** @param {number} i @param {object} [metadata] @param {object} [status] */
const pod = (i, metadata = {}, status = { phase: 'Running' }) => ({
  metadata: { uid: `u${i}`, name: `x-${i}`, ...metadata },
  spec: { nodeName: 'n1' },
  status,
});
const deletionTimestamp = '2026-01-01T00:00:00Z';
const pods = [0, 1, 2].map((i) => pod(i));

/**
 * What is said of pods that a cluster lists, and then changes.
 * @param {any[]} items listed
 * @param {{ type: string, object: any }[]} events
 * @param {number[]} [done]
 */
async function blamedOf(items, events, done = []) {
  const stop = new AbortController();
  /** @type {string[]} */
  const asked = [];
  /** @type {[number, string][]} */
  const blamed = [];
  const client = {
    get: async () => ({ items, metadata: { resourceVersion: '7' } }),
    follow: async (/** @type {string} */ path, /** @type {{ onLine: (line: string) => void }} */ { onLine }) => {
      asked.push(path);
      for (const event of events) onLine(JSON.stringify(event));
      stop.abort();
    },
  };
  await watchPods(/** @type {any} */ (client), {
    job: 'x',
    pods,
    isDone: (i) => done.includes(i),
    blame: (i, reason) => void blamed.push([i, reason]),
    signal: stop.signal,
  });
  return { blamed, asked };
}

describe('pods that make load', () => {
  it('fail in the order in which the cluster says so: the first is to blame, and not those that its Job ends', async () => {
    const { blamed, asked } = await blamedOf(pods, [
      { type: 'MODIFIED', object: pod(0) },
      { type: 'DELETED', object: pod(2) },
      { type: 'MODIFIED', object: pod(0, { deletionTimestamp }) },
      { type: 'MODIFIED', object: pod(1, { deletionTimestamp }) },
    ]);
    assert.deepEqual(blamed[0], [2, 'pod x-2 on n1 was deleted']);
    assert.deepEqual(asked, ['core/pods?labelSelector=job-name%3Dx&watch=true&resourceVersion=7&timeoutSeconds=60']);
  });
  it('may have failed before anybody looked: those on their way out come last', async () => {
    const { blamed, asked } = await blamedOf([pod(0, { deletionTimestamp }), pod(1), pod(3)], []);
    assert.deepEqual([blamed, asked], [[[2, 'pod x-2 is gone: was it deleted, or its node lost?']], []]);
  });
  it('are left alone when what they measured is here, and where others have their names', async () => {
    const { blamed } = await blamedOf(
      pods,
      [
        { type: 'DELETED', object: pod(0) },
        { type: 'DELETED', object: pod(9) },
        { type: 'ERROR', object: { kind: 'Status', code: 410 } },
      ],
      [0],
    );
    assert.deepEqual(blamed, []);
  });
});
