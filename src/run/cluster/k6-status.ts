import type { Client } from './kubernetes-client.js';
import { port } from './manifests.js';

/** @param pod its name */
const statusOf = (pod: string) => `core/pods/${pod}:${port}/proxy/v1/status`;

/** Whether the k6 of a pod is loaded and waits for us. */
export async function isPaused(client: Client, pod: string): Promise<boolean> {
  try {
    const answer = await client.send('GET', statusOf(pod));
    return answer?.data?.attributes?.paused === true;
  } catch {
    return false; // nothing listens yet
  }
}

/**
 * Starts the load of a pod.
 * @throws {ClusterError}
 */
export const resume = (client: Client, pod: string) =>
  client.send('PATCH', statusOf(pod), {
    body: { data: { type: 'status', id: 'default', attributes: { paused: false } } },
  });
