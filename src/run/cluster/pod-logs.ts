import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { openLog } from '../../base/process/log.js';
import { followPod } from './follow-pod.js';
import type { Client } from './kubernetes-client.js';

/**
 * What pods print, a log for each: `pod.log`, without secrets.
 * @param folders of the pods, by index
 */
export function openPodLogs(folders: readonly string[], secrets: readonly string[]) {
  const opened = folders.map((folder) => {
    const stream = new PassThrough();
    const log = openLog(join(folder, 'pod.log'), { secrets, bounded: true });
    log.attach([stream]);
    return { log, stream };
  });
  return {
    logOf: (index: number) => opened[index].log,
    follow: (
      client: Client,
      pod: string,
      index: number,
      given: { signal: AbortSignal; onSecond: (seconds: number) => void },
    ) => followPod(client, pod, { ...given, print: (line) => void opened[index].stream.write(`${line}\n`) }),
    close() {
      for (const { log, stream } of opened) {
        stream.destroy();
        log.close();
      }
    },
  };
}
