import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failureAmong, hasEnded, indexOf, isDeleted, podFailure, waitsFor } from '../../dist/run/cluster/pod-state.js';

/** @param {object} [state] of its container @param {object} [status] @param {object} [metadata] */
const pod = (state, status = {}, metadata = {}) => ({
  metadata: {
    name: 'x-0-abc',
    uid: 'u0',
    annotations: { 'batch.kubernetes.io/job-completion-index': '3' },
    ...metadata,
  },
  spec: { nodeName: 'n1' },
  status: { phase: 'Running', ...(state && { containerStatuses: [{ restartCount: 0, state }] }), ...status },
});
const ended = (/** @type {object} */ how) => pod({ terminated: how }, { phase: 'Failed' });

describe('a pod', () => {
  it('that works has not failed, whether it waits, runs or is done', () => {
    for (const state of [
      { waiting: { reason: 'ContainerCreating' } },
      { running: {} },
      { terminated: { exitCode: 0 } },
    ]) {
      assert.equal(podFailure(pod(state)), null);
    }
    assert.equal(podFailure(pod(undefined, { phase: 'Pending' })), null);
  });
  it('that failed is named with the node and the reason', () => {
    const reasons = [
      ended({ exitCode: 4 }),
      ended({ exitCode: 137 }),
      ended({ exitCode: 137, reason: 'OOMKilled' }),
      pod({ running: {} }, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      pod(undefined, { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' }),
      pod({ waiting: { reason: 'ImagePullBackOff', message: 'no such image' } }, { phase: 'Pending' }),
      pod(undefined, { containerStatuses: [{ restartCount: 1, state: { running: {} } }] }),
    ].map(podFailure);
    assert.deepEqual(reasons, [
      'pod x-0-abc on n1 ended with exit code 4',
      'pod x-0-abc on n1 ended with signal 9',
      'pod x-0-abc on n1 ended with signal 9 (it took more memory than its limit)',
      'pod x-0-abc on n1 was deleted',
      'pod x-0-abc on n1 was ended: Evicted, The node was low on resource: memory.',
      'pod x-0-abc on n1 cannot start: ImagePullBackOff, no such image',
      'pod x-0-abc on n1 was restarted',
    ]);
  });
  it('that was moved away by the cluster says by whom', () => {
    const conditions = [
      { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', message: 'preempted' },
    ];
    assert.match(
      String(podFailure(pod({ running: {} }, { conditions }))),
      /was ended: PreemptionByScheduler, preempted/,
    );
  });
  it('is gone where another has its name, and is to blame before those that its Job deletes', () => {
    const was = pod({ running: {} }, {}, { uid: '1' });
    const deleted = pod({ running: {} }, {}, { uid: '1', deletionTimestamp: '2026-01-01T00:00:00Z' });
    const another = pod({ running: {} }, {}, { uid: '2' });
    assert.equal(failureAmong([was, another], was), null);
    assert.match(String(failureAmong([another], was)), /^pod x-0-abc is gone/);
    assert.equal(failureAmong([another, deleted], was), 'pod x-0-abc on n1 was deleted');
    assert.deepEqual(
      [[was], [deleted], [another]].map((now) => isDeleted(now, was)),
      [false, true, false],
    );
  });
  it('says what it waits for', () => {
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }];
    assert.equal(waitsFor(pod(undefined, { conditions })), 'no node takes it: Unschedulable, 0/3 nodes');
    assert.equal(waitsFor(pod({ running: {} })), 'k6 does not answer');
  });
  it('has its index, and has ended or not', () => {
    assert.equal(indexOf(pod()), 3);
    assert.deepEqual([pod({ running: {} }), ended({ exitCode: 1 })].map(hasEnded), [false, true]);
  });
});
