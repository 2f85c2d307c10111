import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../base/io/files.js';
import { busiestHost, samplesText } from '../generator/busiest-host.js';
import type { Result } from './pod-results.js';

/**
 * By the first instance is judged what k6 used and whether it kept up: that becomes a pod of the busiest node, with what all pods
 * on that node used. Pods of one node without a limit share its cores.
 * @param results of a round
 * @param folders of the pods
 */
export async function putBusiestFirst(results: readonly Result[], folders: readonly string[]) {
  if (folders.length === 1) return;
  const pods = results.map(({ boot, machine }, i) => ({ folder: folders[i], said: { boot, machine } }));
  const { first, samples } = busiestHost(pods);
  const [front] = folders;
  if (first.folder !== front) {
    const aside = `${front}.aside`;
    await rename(front, aside);
    await rename(first.folder, front);
    await rename(aside, first.folder);
  }
  await writeWhole(join(front, 'services.ndjson'), samplesText(samples));
}
