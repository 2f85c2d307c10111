import { port } from './manifests.js';

/** @import { Client, ClusterError } from './kubernetes-client.js' */

/** @param {string} pod its name */
const statusOf = (pod) => `core/pods/${pod}:${port}/proxy/v1/status`;

/**
 * Whether the k6 of a pod is loaded and waits for us.
 * @param {Client} client
 * @param {string} pod
 * @returns {Promise<boolean>}
 */
export async function isPaused(client, pod) {
  try {
    const answer = await client.send('GET', statusOf(pod));
    return answer?.data?.attributes?.paused === true;
  } catch {
    return false; // nothing listens yet
  }
}

/**
 * Starts the load of a pod.
 * @param {Client} client
 * @param {string} pod
 * @throws {ClusterError}
 */
export const resume = (client, pod) =>
  client.send('PATCH', statusOf(pod), {
    body: { data: { type: 'status', id: 'default', attributes: { paused: false } } },
  });
