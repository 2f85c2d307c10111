/**
 * Where requests go: an address, the other hosts that they may go to, and what steps between ready and load captured there.
 * @typedef {{ url: string, hosts: readonly string[], ready: Record<string, unknown> }} Target
 */

/**
 * Says it to k6. What is in it may be a secret: not on the command line, which every user of the machine can read.
 * @param {readonly Target[]} targets one, or base and head
 * @returns {Record<string, string>} environment variables
 */
export const targetEnvironment = ([base, head]) => ({
  BASE_URL: base.url,
  BASE_HOSTS: JSON.stringify(base.hosts),
  BASE_READY: JSON.stringify(base.ready),
  HEAD_URL: head?.url ?? '',
  HEAD_HOSTS: JSON.stringify(head?.hosts ?? []),
  HEAD_READY: JSON.stringify(head?.ready ?? {}),
});
