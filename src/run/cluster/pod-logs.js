import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { openLog } from '../../base/process/log.js';
import { followPod } from './follow-pod.js';

/** @import { Client } from './kubernetes-client.js' */

/**
 * What pods print, a log for each: `pod.log`, without secrets.
 * @param {readonly string[]} folders of the pods, by index
 * @param {readonly string[]} secrets
 */
export function openPodLogs(folders, secrets) {
  const opened = folders.map((folder) => {
    const stream = new PassThrough();
    const log = openLog(join(folder, 'pod.log'), { secrets, bounded: true });
    log.attach([stream]);
    return { log, stream };
  });
  return {
    logOf: (/** @type {number} */ index) => opened[index].log,
    /**
     * @param {Client} client
     * @param {string} pod
     * @param {number} index
     * @param {{ signal: AbortSignal, onSecond: (seconds: number) => void }} given
     */
    follow: (client, pod, index, given) =>
      followPod(client, pod, { ...given, print: (line) => void opened[index].stream.write(`${line}\n`) }),
    close() {
      for (const { log, stream } of opened) {
        stream.destroy();
        log.close();
      }
    },
  };
}
