import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './kubernetes-client.js';
import { failureAmong, isDeleted, type Pod, podFailure, wasDeleted } from './pod-state.js';
import { podsPath } from './wait-ready.js';

/** Milliseconds between the end of a connection and the next. */
const pause_ms = 1000;

/** Seconds that one connection lasts: whoever is between us and the cluster may drop a silent one unseen. */
const connection_s = 60;

/**
 * Looks after pods as long as they make load: what is left of a load when one of them is gone is another load. A Job whose pod
 * has failed ends the others at once; changes come in the order in which they happened, so that the first is the one to blame.
 * @param given isDone: what the pod has to give is here
 */
export async function watchPods(
  client: Client,
  {
    job,
    pods,
    isDone,
    blame,
    signal,
  }: {
    job: string;
    pods: readonly Pod[];
    isDone: (index: number) => boolean;
    blame: (index: number, reason: string) => void;
    signal: AbortSignal;
  },
) {
  const onLine = (line: string) => {
    const { type, object } = JSON.parse(line);
    const index = pods.findIndex(({ metadata }) => metadata.uid === object.metadata?.uid);
    if (index < 0 || isDone(index)) return;
    const reason = type === 'DELETED' ? wasDeleted(object) : podFailure(object);
    if (reason !== null) blame(index, reason);
  };
  while (!signal.aborted && pods.some((_, i) => !isDone(i))) {
    try {
      const { items, metadata } = await client.get(podsPath(job));
      const failures = pods.flatMap((pod, i) => {
        const reason = isDone(i) ? null : failureAmong(items, pod);
        return reason === null ? [] : [{ i, reason, deleted: isDeleted(items, pod) }];
      });
      const [first] = failures.sort((a, b) => Number(a.deleted) - Number(b.deleted));
      if (first) return blame(first.i, first.reason);
      const since = `watch=true&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=${connection_s}`;
      await client.follow(`${podsPath(job)}&${since}`, { onLine, signal });
    } catch {
      // the next look may be answered
    }
    await sleep(pause_ms, null, { signal }).catch(() => {});
  }
}
